"""Downloads from a server on this machine that behaves badly."""

import json
import threading
import time
import zipfile
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

from pinetum.data import download, index
from pinetum.data.errors import DataError
from pinetum.data.loading import load_catalogue
from pinetum.data.sources import Setting, most_bytes, serve
from pinetum.workflow.job import write
from pinetum.workflow.serving import fetch_dataset, report_availability

CATALOGUE = load_catalogue(Path(__file__).parents[2] / "config/catalogue.yaml")
CONTENT = bytes(range(256)) * 2000


class Server(BaseHTTPRequestHandler):
    def do_GET(self):
        server = self.server
        server.asked.append((self.path, self.headers.get("Range")))
        answer = server.answers.get(self.path, 404)
        if callable(answer):
            answer = answer(sum(path == self.path for path, _ in server.asked))
        if isinstance(answer, int):
            return self.send_error(answer)
        content, cut, kind = (
            answer if isinstance(answer, tuple) else (answer, None, "application/octet-stream")
        )
        start = int(self.headers["Range"][6:-1]) if self.headers.get("Range") else 0
        if start and start >= len(content):
            return self.send_error(416)
        if kind.startswith("location "):
            self.send_response(302)
            self.send_header("Location", kind.split(" ", 1)[1])
            self.end_headers()
            return None
        self.send_response(206 if start else 200)
        self.send_header("Content-Type", kind)
        if kind != "no length":
            self.send_header(
                "Content-Length", "abc" if kind == "bad length" else str(len(content) - start)
            )
        self.end_headers()
        self.wfile.write(content[start:cut])
        return None

    def log_message(self, *arguments):
        pass


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(download, "PAUSES", (0.01, 0.01, 0.01))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.asked, server.answers = [], {}
    server.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def check(data):
    if data != CONTENT:
        raise DataError(f"wrong checksum of {len(data)} bytes", file="file")


def fetch(server, folder, path="/file"):
    download.fetch(server.url + path, folder / "file", check, folder)
    return folder / "file"


def test_a_file_arrives_once(server, tmp_path):
    server.answers["/file"] = CONTENT
    assert fetch(server, tmp_path).read_bytes() == CONTENT
    fetch(server, tmp_path)
    assert len(server.asked) == 1 and not list(tmp_path.glob("*.part"))


def test_an_interrupted_transfer_goes_on_where_it_stopped(server, tmp_path):
    server.answers["/file"] = lambda times: (
        CONTENT,
        1000 * times if times < 3 else None,
        "text/plain",
    )
    assert fetch(server, tmp_path).read_bytes() == CONTENT
    assert [asked for _, asked in server.asked] == [None, "bytes=1000-", "bytes=2000-"]


def test_what_an_earlier_run_left_is_taken_up(server, tmp_path):
    server.answers["/file"] = CONTENT
    (tmp_path / "file.part").write_bytes(CONTENT[:5000])
    fetch(server, tmp_path)
    assert server.asked == [("/file", "bytes=5000-")]


@pytest.mark.parametrize("left", [b"of another file", CONTENT + b"and more"])
def test_what_does_not_belong_to_the_file_is_thrown_away(server, tmp_path, left):
    server.answers["/file"] = CONTENT
    (tmp_path / "file.part").write_bytes(left)
    assert fetch(server, tmp_path).read_bytes() == CONTENT


def test_a_wrong_file_never_becomes_data(server, tmp_path):
    server.answers["/file"] = b"<html>sorry</html>"
    with pytest.raises(DataError, match="wrong checksum"):
        fetch(server, tmp_path)
    assert not list(tmp_path.glob("file*"))
    (tmp_path / "file").write_bytes(b"damaged on the disk")
    server.answers["/file"] = CONTENT
    assert fetch(server, tmp_path).read_bytes() == CONTENT


def test_busy_servers_are_asked_again_and_missing_files_are_not(server, tmp_path):
    server.answers["/file"] = lambda times: 503 if times < 3 else CONTENT
    fetch(server, tmp_path)
    assert len(server.asked) == 3
    with pytest.raises(
        DataError, match=r"/none: the server answers 404 Not Found; check the network"
    ):
        download.fetch(server.url + "/none", tmp_path / "none", check, tmp_path)
    assert len(server.asked) == 4
    server.answers["/busy"] = 503
    with pytest.raises(
        DataError, match=r"/busy: the transfer failed 4 times \(the server answers 503\)"
    ):
        download.fetch(server.url + "/busy", tmp_path / "busy", check, tmp_path)


def test_an_unreachable_host_costs_time_once(tmp_path, monkeypatch):
    tries = []
    monkeypatch.setattr(download, "PAUSES", (0.01,))
    monkeypatch.setattr(
        download,
        "_opener",
        lambda *arguments: tries.append(1) or (_ for _ in ()).throw(OSError("no route")),
    )
    for _ in range(5):
        with pytest.raises(DataError, match=r"host\.invalid: not reachable"):
            download.fetch("https://host.invalid/file", tmp_path / "file", check, tmp_path)
    assert len(tries) == 2
    monkeypatch.setattr(download, "NOTE_SECONDS", -1)  # the note is old: asked again
    with pytest.raises(DataError, match="no route"):
        download.fetch("https://host.invalid/file", tmp_path / "file", check, tmp_path)
    assert len(tries) == 4


def test_a_silent_host_is_given_up_within_seconds(tmp_path, monkeypatch):
    import socket

    monkeypatch.setattr(download, "CONNECT_SECONDS", 0.3)
    monkeypatch.setattr(download, "PAUSES", (0.01,))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        with pytest.raises(DataError, match="not reachable"):
            download.fetch(
                f"http://127.0.0.1:{silent.getsockname()[1]}/x", tmp_path / "x", check, tmp_path
            )
        assert time.monotonic() - began < 3


def test_login_goes_into_the_header():
    url, header = download._without_login("https://me:p%40ss@host/simple/")
    assert url == "https://host/simple/" and header == "Basic bWU6cEBzcw=="
    assert download._without_login("https://host/x") == ("https://host/x", "")


@pytest.fixture
def own_index(server, tmp_path, monkeypatch):
    """A package index on this machine with one wheel and one source archive, as pip is told by its
    variables.
    """
    import io
    import tarfile

    wheel = io.BytesIO()
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("demo/table.csv", "1,a\n2,b\n")
        archive.writestr(
            "demo-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n"
        )
        archive.writestr(
            "demo-1.0.dist-info/WHEEL",
            "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        archive.writestr("demo-1.0.dist-info/RECORD", "")
    source = io.BytesIO()
    with tarfile.open(fileobj=source, mode="w:gz") as archive:
        for name, text in (
            ("demo-1.0/table.csv", b"1,a\n"),
            ("demo-1.0/setup.py", b"raise SystemExit('was run')"),
        ):
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    files = {"demo-1.0-py3-none-any.whl": wheel.getvalue(), "demo-1.0.tar.gz": source.getvalue()}
    links = "".join(
        f'<a href="../../files/{name}#sha256={sha256(data).hexdigest()}">{name}</a>'
        for name, data in files.items()
    )
    server.answers["/simple/demo/"] = (
        f"<!DOCTYPE html><html><body>{links}</body></html>".encode(),
        None,
        "text/html",
    )
    server.answers.update({f"/files/{name}": data for name, data in files.items()})
    monkeypatch.setenv("PIP_INDEX_URL", f"{server.url}/simple")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX"):
        monkeypatch.delenv(name, raising=False)
    index.index_access.cache_clear()
    yield {
        name: {
            "project": "demo",
            "version": "1.0",
            "file": name,
            "sha256": sha256(data).hexdigest(),
        }
        for name, data in files.items()
    }
    index.index_access.cache_clear()


@pytest.mark.parametrize("name", ["demo-1.0-py3-none-any.whl", "demo-1.0.tar.gz"])
def test_archives_come_from_the_index_that_pip_is_told(own_index, name, tmp_path):
    path = index.fetch_archive(own_index[name], tmp_path)
    member = "demo/table.csv" if name.endswith("whl") else "demo-1.0/table.csv"
    assert index.member(path, member).startswith(b"1,a\n")
    with pytest.raises(DataError, match=r"no member demo/none"):
        index.member(path, "demo/none")
    assert index.fetch_archive(own_index[name], tmp_path) == path


@pytest.mark.parametrize("name", ["demo-1.0-py3-none-any.whl", "demo-1.0.tar.gz"])
def test_another_archive_under_the_same_name_is_refused(own_index, name, tmp_path):
    with pytest.raises(DataError, match="wrong checksum"):
        index.fetch_archive({**own_index[name], "sha256": "0" * 64}, tmp_path)
    assert not [path for path in (tmp_path / "packages").rglob("*") if path.is_file()]


def test_an_unreachable_index_costs_time_once(own_index, tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "http://localhost:9/simple")
    calls, run = [], index._pip
    monkeypatch.setattr(index, "_pip", lambda *arguments: calls.append(1) or run(*arguments))
    for reason in ("is not reachable", "was not reachable a moment ago"):
        with pytest.raises(DataError, match=f"the package index {reason}; check the package index"):
            index.fetch_archive(own_index["demo-1.0-py3-none-any.whl"], tmp_path)
    assert len(calls) == 1


def test_a_note_from_the_future_is_none(tmp_path):
    download.note_down(tmp_path / "host")
    assert download.noted(tmp_path / "host")
    for shift in (-1000, 1000):
        (tmp_path / "host").write_text(str(time.time() + shift))
        assert not download.noted(tmp_path / "host")


def test_pip_keeps_to_the_limit_of_bytes(own_index, tmp_path, monkeypatch):
    monkeypatch.setattr(download, "MOST_BYTES", 100)
    with pytest.raises(DataError, match="more than 100 bytes"):
        index.fetch_archive(own_index["demo-1.0-py3-none-any.whl"], tmp_path)
    assert not [path for path in (tmp_path / "packages").rglob("*") if path.is_file()]


def test_json_pages_and_missing_files(server, own_index, tmp_path):
    page = json.dumps({"files": [{"filename": "a.tar.gz", "url": "/files/a.tar.gz"}]}).encode()
    server.answers["/simple/json/"] = (page, None, "application/vnd.pypi.simple.v1+json")
    access = index.index_access()
    assert (
        index.file_address(f"{server.url}/simple/json/", "a.tar.gz", tmp_path, access)
        == f"{server.url}/files/a.tar.gz"
    )
    with pytest.raises(DataError, match=r"b\.tar\.gz is not in its list of files"):
        index.file_address(f"{server.url}/simple/json/", "b.tar.gz", tmp_path, access)
    with pytest.raises(DataError, match=r"no index has it .*404"):
        index.fetch_archive({**own_index["demo-1.0.tar.gz"], "project": "other"}, tmp_path)


def test_uci_serves_what_has_the_checksum(server, tmp_path):
    from pinetum.data.exact import file_content

    entry = {
        **CATALOGUE["datasets"]["car"],
        "sources": [{"uci": {}}, {"exact": {"generator": "car"}}],
    }
    setting = Setting("", tmp_path, {}, uci=f"{server.url}/ml/")
    server.answers["/ml/car/car.data"] = b"<html>moved</html>"
    assert serve("car", entry, setting).source == "exact"
    assert not list((tmp_path / "uci").rglob("car.data*"))
    server.answers["/ml/car/car.data"] = file_content("car/car.data")
    assert serve("car", entry, setting).source == "uci"


def test_files_of_the_workflow(tmp_path, monkeypatch):
    monkeypatch.delenv("PINETUM_MIRROR", raising=False)
    entry = {**CATALOGUE["datasets"]["car"], "sources": [{"exact": {"generator": "car"}}]}
    outputs = SimpleNamespace(dataset=tmp_path / "car.npz")
    common = {"archives": {}, "downloads": tmp_path, "config": {"mirror": ""}, "outputs": outputs}
    write(
        fetch_dataset("car", entry, **common, require_all=True)["record"], tmp_path / "car.csv", {}
    )
    inputs = SimpleNamespace(files=SimpleNamespace(records=[tmp_path / "car.csv"]))
    [line, other] = report_availability(["car", "adult"], inputs)["table"].records
    assert (line["status"], line["source"], line["cases"], line["missing"]) == (
        "ok",
        "exact",
        "1728",
        "0",
    )
    assert other == {"dataset": "adult", "status": "not_asked"}
    nowhere = {**entry, "sources": [{"mirror": {}}]}
    [line] = fetch_dataset("car", nowhere, **common, require_all=False)["record"].records
    assert line["status"] == "no_data"
    with pytest.raises(DataError, match="no data for car: mirror: no mirror folder is set"):
        fetch_dataset("car", nowhere, **common, require_all=True)


# ------------------------------------------------------------------------------------------------
# limits


def test_a_wrong_length_in_the_header_is_as_none(server, tmp_path):
    for kind in ("bad length", "no length"):
        server.answers["/file"] = (CONTENT, None, kind)
        assert fetch(server, tmp_path).read_bytes() == CONTENT
        (tmp_path / "file").unlink()


@pytest.mark.parametrize("kind", ["text/plain", "no length"])
def test_more_bytes_than_expected_are_not_kept(server, tmp_path, kind):
    server.answers["/file"] = (CONTENT, None, kind)
    with pytest.raises(
        DataError, match=r"more than 100,000 bytes; it is not the file that is expected"
    ):
        download.fetch(server.url + "/file", tmp_path / "file", check, tmp_path, most=100_000)
    assert len(server.asked) == 1 and not list(tmp_path.glob("file*"))


def test_a_transfer_ends_after_its_time(server, tmp_path, monkeypatch):
    monkeypatch.setattr(download, "MOST_SECONDS", -1)
    server.answers["/file"] = CONTENT
    with pytest.raises(DataError, match="not done after -1 s"):
        fetch(server, tmp_path)
    assert len(server.asked) == 1


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:text/plain,x"])
def test_redirects_leave_the_web_for_nothing(server, tmp_path, target):
    server.answers["/file"] = (b"", None, f"location {target}")
    with pytest.raises(DataError, match=r"only http and https are fetched|is not allowed"):
        fetch(server, tmp_path)
    with pytest.raises(DataError, match="only http and https are fetched"):
        download.fetch(target, tmp_path / "file", check, tmp_path)
    assert len(server.asked) == 1


def test_redirects_are_followed_five_times(server, tmp_path):
    server.answers["/file"] = (b"", None, "location /next")
    server.answers["/next"] = CONTENT
    assert fetch(server, tmp_path).read_bytes() == CONTENT
    for number in range(9):
        server.answers[f"/{number}"] = (b"", None, f"location /{number + 1}")
    with pytest.raises(DataError, match="the server answers 302"):
        download.fetch(f"{server.url}/0", tmp_path / "other", check, tmp_path)


def test_an_index_that_links_a_local_file_is_refused(server, tmp_path):
    page = json.dumps({"files": [{"filename": "a.whl", "url": "file:///etc/passwd"}]}).encode()
    server.answers["/simple/a/"] = (page, None, "application/vnd.pypi.simple.v1+json")
    with pytest.raises(DataError, match="file: only http and https"):
        index.file_address(
            server.url + "/simple/a/", "a.whl", tmp_path, {"context": None, "proxy": ""}
        )


def test_members_of_archives_and_packed_files_unpack_to_what_the_shape_allows(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.whl", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", bytes(10**7))
    assert len(index.member(tmp_path / "a.whl", "a.csv", 10**7)) == 10**7
    with pytest.raises(DataError, match="unpacks to more than 9,999,999 bytes"):
        index.member(tmp_path / "a.whl", "a.csv", 10**7 - 1)
    for entry in CATALOGUE["datasets"].values():
        assert most_bytes(entry["shape"]) >= 1 << 20
