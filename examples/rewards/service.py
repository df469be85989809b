#!/usr/bin/env python3
"""A reward for pgkq as a service: every episode is posted to it, and its rewards are the response.

    export PGKQ_REWARD_TOKEN=some-secret                     # for both; without it nobody is asked for one
    python3 examples/rewards/service.py --port 8000 &
    ./pgkq train --env Hopper-v4 --reward http://localhost:8000/score

It scores with score.py beside it and remembers answers by their Idempotency-Key: a question that comes again, after a
connection that broke or a pgkq that was killed, costs nothing. It takes four at a time and sends others away for a second.
Python 3 is all it needs. What it remembers is lost when it ends; a real service would use a database.
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
            return self.answer(404, {"error": "there is only /score"})
        key = self.headers.get("Idempotency-Key")
        if key in ANSWERS:
            return self.answer(200, ANSWERS[key])
        if not PLACES.acquire(blocking=False):
            return self.answer(429, {"error": "busy"}, {"Retry-After": "1"})
        try:
            result = score(json.loads(body))
        except (ValueError, KeyError, TypeError) as problem:
            return self.answer(400, {"error": "not a request: %r" % problem})
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
    options = argparse.ArgumentParser(description="Scores episodes of pgkq.")
    options.add_argument("--port", type=int, default=8000, help="0 for any that is free")
    server = ThreadingHTTPServer(("127.0.0.1", options.parse_args().port), Judge)
    print("listening on http://localhost:%d/score" % server.server_address[1], flush=True)
    server.serve_forever()
