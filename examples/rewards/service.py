#!/usr/bin/env python3
"""A reward service for pgkq: receives each episode by POST and returns its rewards.

    export PGKQ_REWARD_TOKEN=some-secret                     # for both processes; if unset, no token is required
    python3 examples/rewards/service.py --port 8000 &
    ./pgkq train --env Hopper-v4 --reward http://localhost:8000/score

It computes rewards with score.py and stores answers by their Idempotency-Key: a request that is repeated after a lost
connection, or after pgkq was killed, costs nothing. It processes four requests at a time and asks other clients to retry after
a second. It needs only Python 3. Stored answers are lost when the service ends; a real service would use a database.
"""
import argparse
import hmac
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from score import score

TOKEN = os.environ.get("PGKQ_REWARD_TOKEN", "")
PLACES = threading.Semaphore(4)
ANSWERS = {}


class Judge(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        given = self.headers.get("Authorization", "")
        if TOKEN and not hmac.compare_digest(given.encode(), ("Bearer " + TOKEN).encode()):
            return self.answer(401, {"error": "wrong token"})
        if self.path != "/score":
            return self.answer(404, {"error": "not found: use /score"})
        key = self.headers.get("Idempotency-Key")
        if key in ANSWERS:
            return self.answer(200, ANSWERS[key])
        if not PLACES.acquire(blocking=False):
            return self.answer(429, {"error": "busy"}, {"Retry-After": "1"})
        try:
            result = score(json.loads(body))
        except (ValueError, KeyError, TypeError) as problem:
            return self.answer(400, {"error": "invalid request: %r" % problem})
        finally:
            PLACES.release()
        if key:
            ANSWERS[key] = result
        return self.answer(200, result)

    def answer(self, status, content, headers=None):
        body = json.dumps(content, allow_nan=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description="Computes rewards of episodes for pgkq.")
    options.add_argument("--port", type=int, default=8000, help="port to listen on; 0 for any free port")
    server = ThreadingHTTPServer(("127.0.0.1", options.parse_args().port), Judge)
    print("listening on http://localhost:%d/score" % server.server_address[1], flush=True)
    server.serve_forever()
