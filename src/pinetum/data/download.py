"""Files from the network: whole and checked, or not there at all.

A transfer that breaks off is taken up where it stopped, three times with growing pauses. A host
that cannot be reached, tried twice, is noted beside the downloads for two minutes, so that it costs
seconds once, not per file. Only http and https are followed, also by redirects, of which five are
taken and none from https to http; a transfer ends with an error at a number of bytes and of
seconds.
"""

import base64
import contextlib
import os
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from http.client import HTTPException
from pathlib import Path

from pinetum.data.errors import DataError

CONNECT_SECONDS = 6
STALLED_SECONDS = 60
NOTE_SECONDS = 120
PAUSES = (1, 3, 9)  # seconds before each further try
CHUNK = 1 << 16
MOST_BYTES = 1 << 30  # of a file where nothing better is known
MOST_PAGE_BYTES = 64 << 20
MOST_SECONDS = 900  # for one file, pauses and further tries included
MOST_REDIRECTS = 5
SCHEMES = ("http", "https")
LARGE = 5 << 20  # bytes from which progress is shown

NETWORK = "check the network, or put the file into a mirror"


class _Unreachable(DataError):
    pass


class _TooMuch(DataError):
    """Not worth another try."""


class _Redirects(urllib.request.HTTPRedirectHandler):
    max_redirections = MOST_REDIRECTS

    def redirect_request(self, request, file, code, message, headers, url):
        check_scheme(url)
        if request.type == "https" and urllib.parse.urlsplit(url).scheme != "https":
            raise _TooMuch("a redirect from https to http", file=request.full_url, cure=NETWORK)
        return super().redirect_request(request, file, code, message, headers, url)


def check_scheme(url) -> None:
    """Refuse addresses that are not of the web, such as file:///etc/passwd in an index page."""
    scheme = urllib.parse.urlsplit(url).scheme.lower()
    if scheme not in SCHEMES:
        raise _TooMuch(
            f"{scheme or 'no scheme'}: only http and https are fetched", file=url, cure=NETWORK
        )


@contextlib.contextmanager
def locked(path):
    """One process at a time; the lock goes with the process."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a") as file:
        # Windows and some network file systems have no such locks: work is done twice at worst.
        with contextlib.suppress(OSError, ImportError):
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def fetch(
    url, target, check, folder, *, headers=None, context=None, proxy=None, most=MOST_BYTES
) -> None:
    """Bring `url` to `target` unless a file that passes `check` (which takes the bytes) is there
    already.

    A file of more than `most` bytes is refused before it is there.
    """
    target, folder = Path(target), Path(folder)
    with locked(folder / "locks" / f"{_safe(target)}"):
        if target.exists():
            try:
                check(target.read_bytes())
                return
            except DataError as fault:
                print(f"{fault}: deleted", flush=True)
                target.unlink()
        part = target.with_name(target.name + ".part")
        part.parent.mkdir(parents=True, exist_ok=True)
        resumed = part.exists()
        _transfer(url, part, folder, headers, context, proxy, most)
        try:
            _accept(part, target, check)
        except DataError:
            if not resumed:
                raise
            _transfer(
                url, part, folder, headers, context, proxy, most
            )  # the old beginning was of another file
            _accept(part, target, check)


def _accept(part, target, check):
    try:
        check(part.read_bytes())
    except DataError:
        part.unlink()
        raise
    os.replace(part, target)


def read_page(url, folder, *, headers=None, context=None, proxy=None) -> tuple[bytes, str]:
    """A small page and its content type."""
    with _opened(url, folder, headers or {}, context, proxy) as response:
        body = response.read(MOST_PAGE_BYTES + 1)
        _check_size(len(body), MOST_PAGE_BYTES, url)
        return body, response.headers.get("Content-Type", "")


def _check_size(size, most, url):
    if size > most:
        raise _TooMuch(
            f"more than {most:,} bytes",
            file=url,
            cure="it is not the file that is expected: use a mirror",
        )


def _transfer(url, part, folder, headers, context, proxy, most):
    ends = time.monotonic() + MOST_SECONDS
    for attempt in range(len(PAUSES) + 1):
        have = part.stat().st_size if part.exists() else 0
        wanted = {**(headers or {}), **({"Range": f"bytes={have}-"} if have else {})}
        try:
            with _opened(url, folder, wanted, context, proxy) as response:
                _receive(response, part, have, url, most, ends)
            return
        except _TooMuch:
            part.unlink(missing_ok=True)
            raise
        except _Unreachable:
            raise
        except urllib.error.HTTPError as error:
            if error.code == 416 and have:
                part.unlink()  # longer than the file: start anew
            elif error.code < 500 and error.code not in (408, 429):
                raise DataError(
                    f"the server answers {error.code} {error.reason}", file=url, cure=NETWORK
                ) from error
            reason = f"the server answers {error.code}"
        except (OSError, HTTPException) as error:
            reason = f"{type(error).__name__}: {error}"
        if attempt < len(PAUSES):
            print(f"{url}: {reason}; again in {PAUSES[attempt]} s", flush=True)
            time.sleep(PAUSES[attempt])
    raise DataError(
        f"the transfer failed {len(PAUSES) + 1} times ({reason})", file=url, cure=NETWORK
    )


def _receive(response, part, have, url, most, ends):
    resumed = have and getattr(response, "status", 200) == 206
    length = response.headers.get("Content-Length") or ""
    total = (
        int(length) + (have if resumed else 0) if length.isascii() and length.isdigit() else None
    )
    _check_size(total or 0, most, url)
    done = have if resumed else 0
    told = time.monotonic()
    with open(part, "ab" if resumed else "wb") as file:
        while chunk := response.read(CHUNK):
            done += len(chunk)
            _check_size(done, most, url)
            file.write(chunk)
            if time.monotonic() > ends:
                raise _TooMuch(f"not done after {MOST_SECONDS} s", file=url, cure=NETWORK)
            if (total or done) > LARGE and time.monotonic() - told > 5:
                told = time.monotonic()
                share = f" of {total / 1e6:,.0f} MB ({done / total:.0%})" if total else " MB"
                print(f"{url}: {done / 1e6:,.0f}{share}", flush=True)
    if total is not None and done < total:
        raise OSError(f"broke off after {done:,} of {total:,} bytes")


def _opened(url, folder, headers, context, proxy):
    """The open response; the first failure to connect to a host is noted for the other jobs of the
    run.
    """
    check_scheme(url)
    host = urllib.parse.urlsplit(url).netloc.rpartition("@")[2]
    note = Path(folder) / "unreachable" / _safe(host or "file")
    with locked(Path(folder) / "locks" / f"host-{_safe(host or 'file')}"):
        if noted(note):
            raise _Unreachable("not reachable a moment ago", file=host, cure=NETWORK)
        try:
            response = _connected(url, headers, context, proxy)
        except (urllib.error.HTTPError, _TooMuch):
            raise
        except (OSError, HTTPException, ValueError):
            time.sleep(PAUSES[0])
            try:
                response = _connected(url, headers, context, proxy)
            except (urllib.error.HTTPError, _TooMuch):
                raise
            except (OSError, HTTPException, ValueError) as error:
                note_down(note)
                what = f"not reachable ({getattr(error, 'reason', error)})"
                raise _Unreachable(what, file=host or url, cure=NETWORK) from error
    with contextlib.suppress(AttributeError, OSError):
        response.fp.raw._sock.settimeout(
            STALLED_SECONDS
        )  # long transfers may pause longer than a connection may take
    return response


def _connected(url, headers, context, proxy):
    url, login = _without_login(url)
    request = urllib.request.Request(url, headers={"User-Agent": "pinetum", **headers})
    if login:
        request.add_unredirected_header(
            "Authorization", login
        )  # a redirect must not carry it to another host
    return _opener(context, proxy).open(request, timeout=CONNECT_SECONDS)


def noted(note) -> bool:
    """Whether a host was found unreachable a moment ago."""
    try:
        return (
            0 <= time.time() - float(Path(note).read_text()) < NOTE_SECONDS
        )  # a clock may have been put back since
    except (OSError, ValueError):
        return False


def note_down(note) -> None:
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(str(time.time()))


def _opener(context, proxy):
    """An opener of http and https and of nothing else."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler({"http": proxy, "https": proxy} if proxy else None),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(context=context or ssl.create_default_context()),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _Redirects(),
    ):
        opener.add_handler(handler)
    return opener


def _without_login(url):
    """The address without user and password, and the value of the header that carries them."""
    parts = urllib.parse.urlsplit(url)
    login, at, host = parts.netloc.rpartition("@")
    if not at:
        return url, ""
    token = base64.b64encode(urllib.parse.unquote(login).encode()).decode()
    return urllib.parse.urlunsplit(parts._replace(netloc=host)), f"Basic {token}"


def _safe(name):
    return str(name).replace("/", "_").replace(":", "_")[-120:]
