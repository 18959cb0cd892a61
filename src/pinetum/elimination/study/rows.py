"""Which data set or view serves which row of Table 1."""

from pinetum.data.loading import load_catalogue


def rows_of(datasets) -> dict[str, str]:
    """Row of Table 1 -> data set or view; a view serves the row of the data set it looks at."""
    views = load_catalogue().get("views", {})
    return {views.get(name, {}).get("of", name): name for name in datasets}
