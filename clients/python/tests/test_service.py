"""Calls a real service; the environment has its address and key."""

import asyncio
import json
import os
import socket
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer

from stagecraft_client import (
    StagecraftError,
    connect,
    iterate,
    iterate_async,
    verify_webhook,
    wait,
    wait_async,
)
from stagecraft_client.http.api.generations import create_generation, get_archive, get_generated_file, get_generation
from stagecraft_client.http.api.projects import list_projects
from stagecraft_client.http.api.scans import create_scan, get_scan
from stagecraft_client.http.api.units import create_unit, create_units, get_unit, list_units
from stagecraft_client.http.models import CreateGenerationBody, CreateScanBody, CreateUnitBody, CreateUnitsBody

URL = os.environ["STAGECRAFT_URL"]
KEY = os.environ["STAGECRAFT_API_KEY"]


def client(**options):
    return connect(URL, KEY, **options)


def first_project():
    return next(iterate(list_projects, client=client())).id


def new_unit(project, source):
    body = CreateUnitBody(type_="staging", source=source)
    return create_unit.sync(project, client=client(), body=body).data


class Service(unittest.TestCase):
    maxDiff = None

    def test_generates(self):
        project = first_project()
        scan = create_scan.sync(project, client=client(), body=CreateScanBody()).data
        self.assertEqual(wait(get_scan, project, scan.id, client=client()).state, "completed")
        unit = new_unit(project, "crm.accounts")
        job = create_generation.sync(project, client=client(), body=CreateGenerationBody(unit_id=unit.id)).data
        ended = wait(get_generation, project, job.id, client=client())
        self.assertEqual(ended.state, "completed", ended.error)
        paths = [file.path for file in ended.files]
        self.assertIn("models/staging/crm/stg_crm__accounts.sql", paths)
        sql = get_generated_file.sync(project, job.id, "models/staging/crm/stg_crm__accounts.sql", client=client())
        self.assertIn("as account_id", sql)
        archive = get_archive.sync(project, client=client()).payload.read()
        self.assertEqual(archive[:2], b"PK")

    def test_lists_all_pages_both_ways(self):
        project = first_project()
        sources = [f"shop.page_{number}" for number in range(3)]
        for source in sources:
            new_unit(project, source)
        found = [unit.source for unit in iterate(list_units, project, client=client(), limit=2, search="page_")]
        self.assertEqual(sorted(found), sources)

        async def read():
            own = client()
            units = iterate_async(list_units, project, client=own, limit=2, search="page_")
            return [unit.source async for unit in units]

        self.assertEqual(sorted(asyncio.run(read())), sources)

    def test_counts_units_without_creating_them(self):
        project, own = first_project(), client()
        wait(get_scan, project, create_scan.sync(project, client=own, body=CreateScanBody()).data.id, client=own)
        before = len(list(iterate(list_units, project, client=own)))
        body = CreateUnitsBody(type_="staging", select=["crm.*"], dry_run=True)
        self.assertGreater(create_units.sync(project, client=own, body=body).data.matched, 0)
        self.assertEqual(len(list(iterate(list_units, project, client=own))), before)

    def test_one_client_serves_several_event_loops(self):
        own = client()
        for _ in range(3):
            self.assertTrue(asyncio.run(list_projects.asyncio(client=own)).data.items)

    def test_waits_async(self):
        async def scan():
            own = client()
            job = (await create_scan.asyncio(first_project(), client=own, body=CreateScanBody())).data
            return await wait_async(get_scan, first_project(), job.id, client=own)

        self.assertEqual(asyncio.run(scan()).state, "completed")

    def test_raises_errors_of_the_service(self):
        with self.assertRaises(StagecraftError) as raised:
            get_unit.sync(first_project(), "unit_doesNotExist", client=client())
        error = raised.exception
        self.assertEqual((error.code, error.status), ("NOT_FOUND", 404))
        self.assertRegex(error.request_id, r"^req_")
        with self.assertRaises(StagecraftError) as raised:
            list_projects.sync(client=connect(URL, "sk_live_wrong"))
        self.assertEqual(raised.exception.code, "UNAUTHORIZED")
        self.assertNotIn("sk_live_wrong", str(raised.exception))


class Failing(unittest.TestCase):
    """A server that fails on demand."""

    def answer(self, *statuses, headers=()):
        seen = self.seen = []
        left = list(statuses)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["content-length"] or 0))
                self.do_GET()

            def do_GET(self):
                seen.append((self.command, self.headers.get("idempotency-key")))
                status = left.pop(0)
                error = {"success": False, "error": {"code": "RATE_LIMITED", "message": "wait"}}
                meta = {"requestId": "req_1", "timestamp": "2026-01-01T00:00:00Z", "tokensUsed": 0}
                good = {"success": True, "data": {"items": []}, "meta": meta}
                body = json.dumps(good if status == 200 else error).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                for name, value in headers:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}"

    def test_retries(self):
        url = self.answer(503, 429, 200)
        self.assertEqual(list(iterate(list_projects, client=connect(url, KEY))), [])
        self.assertEqual(len(self.seen), 3)

    def test_retries_async(self):
        url = self.answer(503, 200)
        asyncio.run(list_projects.asyncio(client=connect(url, KEY)))
        self.assertEqual(len(self.seen), 2)

    def test_creations_have_one_key(self):
        url = self.answer(502, 502, 502)
        with self.assertRaises(StagecraftError):
            create_scan.sync("proj_1", client=connect(url, KEY), body=CreateScanBody())
        keys = {key for _, key in self.seen}
        self.assertEqual((len(self.seen), len(keys)), (3, 1))
        self.assertNotIn(None, keys)

    def test_does_not_wait_too_long(self):
        url = self.answer(429, headers=[("retry-after", "3600")])
        with self.assertRaises(StagecraftError) as raised:
            list_projects.sync(client=connect(url, KEY))
        self.assertEqual((raised.exception.code, len(self.seen)), ("RATE_LIMITED", 1))

    def test_redirects_are_not_followed(self):
        url = self.answer(302, headers=[("location", "http://127.0.0.1:1/")])
        with self.assertRaises(StagecraftError) as raised:
            list_projects.sync(client=connect(url, KEY))
        self.assertEqual(raised.exception.code, "CONNECTION_FAILED")


    def raw(self, *answers):
        """Returns the address of a server that sends bytes unchanged and hangs up."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def serve():
            for text in answers:
                with listener.accept()[0] as connection:
                    connection.recv(65536)
                    connection.sendall(text.encode())

        threading.Thread(target=serve, daemon=True).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    def test_responses_that_break_off_are_retried(self):
        head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"
        with self.assertRaises(StagecraftError) as raised:
            list_projects.sync(client=connect(self.raw(head, head), KEY, max_retries=1))
        self.assertEqual((raised.exception.code, raised.exception.status), ("CONNECTION_FAILED", None))
        with self.assertRaises(StagecraftError) as raised:
            asyncio.run(list_projects.asyncio(client=connect(self.raw(head), KEY, max_retries=0)))
        self.assertEqual(raised.exception.code, "CONNECTION_FAILED")

    def test_pages_of_a_proxy_are_not_responses(self):
        page = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>"
        for call in (
            lambda own: list_projects.sync(client=own),
            lambda own: asyncio.run(list_projects.asyncio(client=own)),
        ):
            with self.assertRaises(StagecraftError) as raised:
                call(connect(self.raw(page), KEY))
            self.assertEqual(raised.exception.message, "expected an answer of Stagecraft, got 200 with text/html")

    def test_timeouts_are_reported(self):
        slow = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(slow.close)
        url = f"http://127.0.0.1:{slow.getsockname()[1]}"
        with self.assertRaises(StagecraftError) as raised:
            list_projects.sync(client=connect(url, KEY, timeout=0.2))
        self.assertEqual(raised.exception.code, "CONNECTION_FAILED")


class Options(unittest.TestCase):
    def test_invalid_options_are_named(self):
        for wrong, name in [
            (dict(base_url="example.com", api_key="k"), "base_url"),
            (dict(base_url="http://example.com", api_key="k"), "base_url"),
            (dict(base_url="https://user:word@example.com", api_key="k"), "base_url"),
            (dict(base_url="https://example.com", api_key=""), "api_key"),
            (dict(base_url="https://example.com", api_key="k", max_retries=11), "max_retries"),
            (dict(base_url="https://example.com", api_key="k", timeout=0), "timeout"),
        ]:
            with self.assertRaises(StagecraftError) as raised:
                connect(**wrong)
            self.assertEqual(raised.exception.code, "INVALID_REQUEST")
            self.assertTrue(raised.exception.message.startswith(name + ":"))
            self.assertNotIn("word", str(raised.exception))


class Webhooks(unittest.TestCase):
    def setUp(self):
        self.delivery = json.loads(os.environ["STAGECRAFT_DELIVERY"])

    def test_signed_deliveries_are_read(self):
        body, headers, secret = (self.delivery[name] for name in ("body", "headers", "secret"))
        event = verify_webhook(body.encode(), headers, "whsec_" + "A" * 32, secret)
        self.assertEqual(event, json.loads(body))

    def test_other_deliveries_are_refused(self):
        body, headers, secret = (self.delivery[name] for name in ("body", "headers", "secret"))
        old = {**headers, "webhook-timestamp": "1500000000"}
        for text, own in [(body + " ", headers), (body, old), (body, {})]:
            with self.assertRaises(StagecraftError) as raised:
                verify_webhook(text, own, secret)
            self.assertEqual(raised.exception.code, "UNAUTHORIZED")

    def test_hostile_input_is_refused(self):
        body, headers, secret = (self.delivery[name] for name in ("body", "headers", "secret"))
        for name, value in [
            ("webhook-signature", "nonsense"),
            ("webhook-signature", "v1,@@@ v1,größe"),
            ("webhook-timestamp", "nan"),
            ("webhook-timestamp", "9" * 30),
            ("webhook-timestamp", "١٢٣"),
            ("webhook-id", "\ud800"),
        ]:
            with self.assertRaises(StagecraftError) as raised:
                verify_webhook(body, {**headers, name: value}, secret)
            self.assertEqual(raised.exception.code, "UNAUTHORIZED", (name, value))
        for other in (b"\xff\xfe", "\ud800"):
            with self.assertRaises(StagecraftError) as raised:
                verify_webhook(other, headers, secret)
            self.assertEqual(raised.exception.code, "UNAUTHORIZED")

    def test_any_text_may_be_a_secret(self):
        own = self.delivery["own"]
        self.assertEqual(verify_webhook(own["body"], own["headers"], own["secret"])["id"], "evt_1")
        array = self.delivery["array"]
        with self.assertRaises(StagecraftError):
            verify_webhook(array["body"], array["headers"], array["secret"])

    def test_wrong_secrets_are_named(self):
        body, headers = self.delivery["body"], self.delivery["headers"]
        for secrets in [(), ("",), ("whsec_",), ("whsec_…",), ("whsec_AAAAA",)]:
            with self.assertRaises(StagecraftError) as raised:
                verify_webhook(body, headers, *secrets)
            self.assertEqual(raised.exception.code, "INVALID_REQUEST", secrets)


if __name__ == "__main__":
    unittest.main()
