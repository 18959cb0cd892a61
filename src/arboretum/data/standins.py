"""Generated tables in the place of data that were never public, or are very large."""
