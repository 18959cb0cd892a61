"""Archives of the Python package index, fetched as files with the machine's own index
configuration, and Debian packages from the address that the catalogue states.

Nothing in them is installed, imported or built: pip only downloads wheels (never a source archive,
whose build it would start), source archives come through the index's list of files, and members are
read from the archive.
"""

import errno
import importlib.util
import io
import json
import os
import re
import ssl
import subprocess
import sys
import tarfile
import tempfile
import urllib.parse
import zipfile
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

from pinetum.data import download
from pinetum.data.errors import DataError
from pinetum.data.unpack import MOST_BYTES, bounded

PIP_SECONDS = 300
CURE = "check the package index of pip's configuration, or use a mirror"


def fetch_archive(archive, folder) -> Path:
    """The archive's file below `folder`, downloaded once and compared with its checksum."""
    folder = Path(folder)
    target = folder / "packages" / archive["file"]

    def check(data):
        found = sha256(data).hexdigest()
        if found != archive["sha256"]:
            raise DataError(
                f"wrong checksum {found[:12]}...", file=target, cure="delete it and run again"
            )

    with download.locked(folder / "locks" / f"package-{archive['file']}"):
        if target.exists():
            try:
                check(target.read_bytes())
                return target
            except DataError as fault:
                print(f"{fault}: deleted", flush=True)
                target.unlink()
        if "url" in archive:
            download.fetch(archive["url"], target, check, folder)
        elif archive["file"].endswith(".whl") and pip_is_there():
            _download_wheel(archive, target, check, folder)
        else:
            _download_listed(archive, target, check, folder)
    return target


def pip_is_there() -> bool:
    return importlib.util.find_spec("pip") is not None


# pip with a limit on every file that it writes: beyond it writing is an error, "File too large".
BOUNDED_PIP = "import resource, runpy; {limit}; runpy.run_module('pip', run_name='__main__')"


def _pip(*arguments):
    limit = (
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({download.MOST_BYTES}, {download.MOST_BYTES}))"
    )
    program = BOUNDED_PIP.format(limit=limit)
    command = [
        sys.executable,
        "-c",
        program,
        "--disable-pip-version-check",
        "--no-input",
        *arguments,
    ]
    try:
        return subprocess.run(
            command, capture_output=True, text=True, timeout=PIP_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise DataError(f"pip was not done after {PIP_SECONDS} s", cure=CURE) from None


def _download_wheel(archive, target, check, folder):
    target.parent.mkdir(parents=True, exist_ok=True)
    note = folder / "unreachable" / "index"
    if download.noted(note):
        raise DataError("the package index was not reachable a moment ago", cure=CURE)
    with tempfile.TemporaryDirectory(dir=target.parent) as place:
        tags = [
            part
            for key, value in archive.get("tags", {}).items()
            for part in (f"--{key}", str(value))
        ]
        done = _pip(
            "download",
            "--no-deps",
            "--only-binary=:all:",
            "--ignore-requires-python",
            "--retries=1",
            f"--timeout={download.CONNECT_SECONDS}",
            f"--dest={place}",
            *tags,
            f"{archive['project']}=={archive['version']}",
        )
        file = Path(place) / archive["file"]
        if not file.exists():
            if "connection broken" in done.stderr:
                download.note_down(note)
                raise DataError(
                    "the package index is not reachable", file=archive["file"], cure=CURE
                )
            if os.strerror(errno.EFBIG) in done.stderr:
                raise DataError(
                    f"more than {download.MOST_BYTES:,} bytes", file=archive["file"], cure=CURE
                )
            lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or [
                "no such file"
            ]
            raise DataError(
                f"pip could not download it ({lines[0][:200]})", file=archive["file"], cure=CURE
            )
        check(file.read_bytes())
        file.replace(target)


def _download_listed(archive, target, check, folder):
    faults = []
    access = index_access()
    for index in access["indexes"]:
        page = f"{index.rstrip('/')}/{re.sub(r'[-_.]+', '-', archive['project']).lower()}/"
        try:
            url = file_address(page, archive["file"], folder, access)
            download.fetch(
                url, target, check, folder, context=access["context"], proxy=access["proxy"]
            )
            return
        except (DataError, OSError) as fault:
            faults.append(str(fault))
    raise DataError(f"no index has it ({'; '.join(faults)})", file=archive["file"], cure=CURE)


def file_address(page, name, folder, access) -> str:
    """Address of a file from the project's page of the index (the simple API, JSON or HTML)."""
    wanted = {"Accept": "application/vnd.pypi.simple.v1+json, text/html;q=0.5"}
    body, kind = download.read_page(
        page, folder, headers=wanted, context=access["context"], proxy=access["proxy"]
    )
    try:
        if "json" in kind:
            links = {file["filename"]: file["url"] for file in json.loads(body)["files"]}
        else:
            reader = _Links()
            reader.feed(body.decode("utf-8", "replace"))
            links = reader.links
    except (ValueError, KeyError, TypeError) as error:
        raise DataError("not a page of a package index", file=page, cure=CURE) from error
    if name not in links:
        raise DataError(f"{name} is not in its list of files", file=page, cure=CURE)
    address = urllib.parse.urljoin(page, links[name])
    download.check_scheme(address)
    return address


class _Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links = {}

    def handle_starttag(self, tag, attributes):
        address = dict(attributes).get("href")
        if tag == "a" and address:
            self.links[
                urllib.parse.unquote(urllib.parse.urlsplit(address).path.rpartition("/")[2])
            ] = address


@cache
def index_access() -> dict:
    """Indexes, certificates and proxy as pip is configured.

    Pip's own default index where none is set.
    """
    if not pip_is_there():
        raise DataError(
            "pip is not there to tell which index to use", cure="install pip into the environment"
        )
    settings = {}
    for line in _pip("config", "list").stdout.splitlines():
        key, _, value = line.partition("=")
        settings[key] = value.strip("'\"")

    def setting(name):
        for section in (":env:", "download", "install", "global", "user", "site"):
            if settings.get(f"{section}.{name}"):
                return settings[f"{section}.{name}"]
        return ""

    index = setting("index-url")
    if not index:
        helped = re.sub(r"\s+", " ", _pip("help", "download").stdout)
        default = re.search(r"Base URL of the Python Package Index \(default (\S+?)\)", helped)
        index = default.group(1) if default else ""
    cert = setting("cert")
    try:
        context = ssl.create_default_context(cafile=cert or None)
    except OSError as error:
        raise DataError(
            f"pip's certificate file cannot be read ({error})", file=cert, cure=CURE
        ) from error
    indexes = [index, *setting("extra-index-url").split()]
    return {
        "indexes": [entry for entry in indexes if entry],
        "context": context,
        "proxy": setting("proxy"),
    }


def member(path, name, most=MOST_BYTES) -> bytes:
    """One member's bytes, at most `most`, read from the archive without unpacking it."""
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive, archive.open(name) as file:
                return bounded(file, f"{path}:{name}", most)
        with tarfile.open(fileobj=tar_of(path)) as packed:
            member = packed.extractfile(name)
            assert member is not None  # a file, else a KeyError
            return bounded(member, f"{path}:{name}", most)
    except DataError:
        raise
    except KeyError:
        raise DataError(
            f"no member {name}", file=path, cure="correct `path` in the catalogue"
        ) from None
    except Exception as error:  # a damaged archive makes zipfile and tarfile raise nearly anything
        raise DataError(
            f"cannot be unpacked ({error})", file=path, cure="delete it and run again"
        ) from error


AR, AR_HEADER = b"!<arch>\n", 60  # first bytes of an ar archive; bytes of a member's header


def tar_of(path):
    """The file of a tar archive; of a Debian package, which is an ar archive, the one with data."""
    data = Path(path).read_bytes()
    place = len(AR) if data.startswith(AR) else len(data)
    while place < len(data):
        header = data[place : place + AR_HEADER]
        size = int(header[48:58])
        place += AR_HEADER
        if header.startswith(b"data.tar"):
            return io.BytesIO(data[place : place + size])
        place += size + size % 2
    return io.BytesIO(data)
