"""
Serves an emulated Snowflake as its SQL API (https://docs.snowflake.com/en/developer-guide/sql-api/reference): statements run
asynchronously, results come in pages of JSON, with values written as that API writes them. Prints its port. Lines of the input
are statements to run before; what the emulator lacks is put right in REWRITES.
"""

import datetime
import json
import re
import sys
import threading
import time
import uuid
import warnings
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

import fakesnow
import snowflake.connector

warnings.simplefilter("ignore")
PAGE = 7
TYPES = ["fixed", "real", "text", "date", "timestamp_ntz", "variant", "timestamp_ltz", "timestamp_tz", "timestamp_ntz",
         "object", "array", "binary", "time", "boolean"]
# information_schema.columns of the emulator has no such column.
REWRITES = [(re.compile(r"t\.datetime_precision", re.I), "9")]
EPOCH = datetime.datetime(1970, 1, 1)


def cell(value):
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.datetime):
        zoned = value.tzinfo is not None
        plain = value.astimezone(datetime.timezone.utc).replace(tzinfo=None) if zoned else value
        delta = plain - EPOCH
        text = f"{delta.days * 86400 + delta.seconds}.{delta.microseconds:06d}000"
        return f"{text} 1440" if zoned else text
    if isinstance(value, datetime.date):
        return str((value - EPOCH.date()).days)
    if isinstance(value, datetime.time):
        return f"{value.hour * 3600 + value.minute * 60 + value.second}.{value.microsecond:06d}000"
    if isinstance(value, (bytes, bytearray)):
        return value.hex().upper()
    return str(value)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    results = {}
    lock = threading.Lock()
    seen = []

    def log_message(self, *_):
        pass

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def refused(self):
        kind = self.headers.get("x-snowflake-authorization-token-type")
        if self.headers.get("authorization", "").startswith("Bearer ") and kind:
            return False
        self.answer(401, {"code": "390303", "message": "Invalid OAuth access token."})
        return True

    def do_POST(self):
        text = self.rfile.read(int(self.headers["content-length"]))
        if self.refused():
            return
        path = urlparse(self.path).path
        if path.endswith("/cancel"):
            self.seen.append("cancel")
            return self.answer(200, {"message": "cancelled"})
        body = json.loads(text)
        handle = str(uuid.uuid4())
        threading.Thread(target=self.run, args=(handle, body), daemon=True).start()
        self.answer(202, {"code": "333334", "statementHandle": handle})

    def run(self, handle, body):
        statement = body["statement"]
        for pattern, replacement in REWRITES:
            statement = pattern.sub(replacement, statement)
        values = [one["value"] for _, one in sorted(body.get("bindings", {}).items(), key=lambda item: int(item[0]))]
        if statement.startswith("select system$wait("):
            time.sleep(60)
        try:
            with self.lock:
                if "schema" in body:
                    cursor.execute(f'use schema "{body["database"]}"."{body["schema"]}"')
                cursor.execute(statement, values or None)
                names = [(column[0], TYPES[column[1]]) for column in cursor.description or []]
                rows = [[cell(value) for value in row] for row in cursor.fetchall()]
            self.results[handle] = (200, names, rows)
        except Exception as error:
            code = f"{getattr(error, 'errno', None) or 1003:06d}"
            self.results[handle] = (422, {"code": code, "message": str(error)})

    def do_GET(self):
        if self.refused():
            return
        url = urlparse(self.path)
        handle = url.path.split("/")[-1]
        found = self.results.get(handle)
        if found is None:
            return self.answer(202, {"code": "333334", "statementHandle": handle})
        if found[0] != 200:
            return self.answer(*found)
        _, names, rows = found
        partition = int(parse_qs(url.query).get("partition", ["0"])[0])
        pages = max(1, -(-len(rows) // PAGE))
        data = rows[partition * PAGE : (partition + 1) * PAGE]
        if partition:
            return self.answer(200, {"data": data})
        types = [{"name": name, "type": kind} for name, kind in names]
        info = [{"rowCount": PAGE, "uncompressedSize": 100}] * pages
        self.answer(200, {"data": data, "statementHandle": handle,
                          "resultSetMetaData": {"rowType": types, "partitionInfo": info}})


with fakesnow.patch():
    cursor = snowflake.connector.connect(database="DB1", schema="S1", paramstyle="qmark").cursor()
    for line in sys.stdin:
        cursor.execute(json.loads(line))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
