"""Archives of the package index."""

from arboretum.data.errors import DataError


def fetch_archive(archive, folder):
    raise DataError("package archives are not there yet", cure="use a mirror")
