"""One kept-alive connection to the service, and the formats that travel on it."""

from __future__ import annotations

import http.client
import io
import json
import socket
from typing import Any, Mapping, Optional, Union
from urllib.parse import urlencode, urlsplit

import numpy as np

from .errors import ServiceFailed, of_status

NPY = "application/x-npy"
JSON = "application/json"
Body = Union[None, np.ndarray, Mapping[str, Any]]


class Connection:
    """Requests to one address. A fault of the connection is an OSError or an HTTPException; then use a new one."""

    def __init__(self, url: str, token: Optional[str] = None, timeout: Optional[float] = None):
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:  # no number, or not that of a port
            port = -1
        if port == -1 or parts.scheme not in ("http", "https") or not parts.hostname:
            raise ServiceFailed(f"{url} is not the address of a service; one looks like http://127.0.0.1:8766/")
        self.url = url
        self._root = parts.path.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        make = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._http = make(parts.hostname, port, timeout=timeout)

    def call(self, method: str, path: str, body: Body = None, query: Optional[Mapping[str, Any]] = None) -> Any:
        """The JSON that the service answers. Raises the exception of its status if that says failure."""
        headers = {"Accept": JSON, **self._headers}
        data: Optional[bytes] = None
        if isinstance(body, np.ndarray):
            data = npy(body)
            headers["Content-Type"] = NPY
        elif body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = JSON
        target = self._root + path + ("?" + urlencode(query) if query else "")
        if self._http.sock is None:
            self._http.connect()
            # header and body are two packets; the second would wait for the first one's acknowledgement
            self._http.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._http.request(method, target, data, headers)
        answer = self._http.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise of_status(answer.status, _sentence(text, answer.status, method, path))
        try:
            return json.loads(text)
        except ValueError:
            raise ServiceFailed(f"{self.url} answered {method} {path} with something other than JSON") from None

    def close(self) -> None:
        self._http.close()


def npy(array: np.ndarray) -> bytes:
    """An array as the bytes of an .npy file."""
    out = io.BytesIO()
    np.lib.format.write_array(out, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
    return out.getvalue()


def _sentence(text: bytes, status: int, method: str, path: str) -> str:
    try:
        return str(json.loads(text)["error"])
    except (ValueError, KeyError, TypeError):
        return f"the service answered {method} {path} with status {status}"
