"""Selection of columns: scikit-learn's selector beside ours, and whether searching more errs more.

rival           scikit-learn's backward selector on the same folds
oversearching   methods of selection inside an outer cross-validation
selections      their summary, tests and page, from the records
figures         the same drawn
"""
