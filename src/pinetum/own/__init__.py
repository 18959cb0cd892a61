"""A table of one's own: every method that fits it on the same folds, the models, and one page."""
