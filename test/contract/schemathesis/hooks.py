"""What the description cannot say to schemathesis: who calls, which protocol is spoken, and which rules no schema holds."""

import json
import os
import random
import struct
import urllib.request
import zlib

import schemathesis

# Throttles count by key, or by address: with one of each they would answer all but the first few cases.
KEYS = 60
# A device's data are its own: one for all cases, so that what one of them writes, the next one finds.
DEVICE = "schemathesis".ljust(43, "-")
BASE = os.environ["BASE_URL"]
CHANCE = random.Random(1)
# Of the cases that go through a schema step by step, one in so many.
SHARE = int(os.environ.get("COVERAGE_SHARE", "1"))
SHARED = random.Random(2)


def more_keys(first):
    """Further admin keys, made by the first one."""
    for number in range(KEYS):
        body = json.dumps({"name": f"schemathesis {number}", "is_admin": True}).encode()
        headers = {"Authorization": f"Bearer {first}", "Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(f"{BASE}/api/keys", body, headers)) as reply:
            yield json.load(reply)["key"]


KEYRING = list(more_keys(os.environ["ADMIN_KEY"]))


@schemathesis.auth(refresh_interval=None, retry_on=[])
class AnyAdmin:
    def get(self, case, context):
        return CHANCE.choice(KEYRING)

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.serializer("application/offset+octet-stream")
def part_of_upload(context, value):
    return {"data": value if isinstance(value, bytes) else str(value).encode(errors="ignore")}


def picture():
    """A PNG of 640 x 160 pixels in one colour by chance: each is another image."""
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    row = b"\0" + CHANCE.randbytes(3) * 640
    head = struct.pack(">IIBBBBB", 640, 160, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(row * 160)) + chunk(b"IEND", b"")


def tus(method):
    """Headers of the tus protocol 1.0."""
    begin = {"Upload-Length": "64", "Upload-Metadata": "filename ZXhwb3J0LnhtbA==,consent dHJ1ZQ=="}
    return {"Tus-Resumable": "1.0.0", "Upload-Offset": "0", **(begin if method == "POST" else {})}


@schemathesis.hook
def filter_case(context, case):
    is_step = case.meta is not None and case.meta.phase.name.value == "coverage"
    return not is_step or SHARED.randrange(SHARE) == 0


# Members of bodies that are there, among those that are made up.
KNOWN = {
    "url": ("https://receiver.example/events", "https://receiver.example/others"),
    "question": ("Does magnesium help with sleep?", "ashwagandha and stress"),
    "supplement_slug": ("magnesium", "ashwagandha", "vitamin-d"),
}


def is_valid(case):
    return case.meta is not None and case.meta.generation.mode.is_positive


@schemathesis.hook
def before_call(context, case, kwargs):
    path = case.operation.path
    address = "10." + ".".join(str(CHANCE.randint(1, 254)) for _ in range(3))
    # A public write comes from a page of ours.
    case.headers.update({"X-Forwarded-For": address, "Origin": BASE})
    case.cookies.setdefault("ekb_device", DEVICE)
    if path.startswith("/wearables/phone-health/parts"):
        case.headers.update(tus(case.method.upper()))
    if path == "/mcp":
        case.headers.setdefault("Accept", "application/json, text/event-stream")
    if not is_valid(case):
        return
    # The same key for another request is a 422, and nothing behind it would be tried.
    if "Idempotency-Key" in case.headers and CHANCE.random() < 0.9:
        case.headers["Idempotency-Key"] = f"{CHANCE.getrandbits(64):x}"
    body = case.body if isinstance(case.body, dict) else {}
    for name in sorted(KNOWN.keys() & body.keys()):
        if CHANCE.random() < 0.6:
            body[name] = CHANCE.choice(KNOWN[name])
    is_upload = case.operation.label == "POST /api/label-image/{dsld_id}"
    if is_upload and body and CHANCE.random() < 0.7:
        body["file"] = picture()


# Of the house, for every text: no database takes these, and a member of that name is an attack on the program.
NO_TEXT = ("NUL characters", "valid Unicode", "nested too deeply")


def is_rule_of_the_house(case, reply):
    if reply["code"] == "idempotency_key_reused":
        return True
    if reply["code"] == "malformed_json":
        return "__proto__" in str(case.body)
    return all(any(word in problem["msg"] for word in NO_TEXT) for problem in reply["detail"])


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """False: no finding, for the answer names a rule that holds for every operation and that no schema can say."""
    if failure.code != "ST202" or response.status_code != 422:
        return True
    try:
        return not is_rule_of_the_house(case, json.loads(response.content))
    except (ValueError, KeyError, TypeError):
        # A page says less than JSON, and nothing of a secret: then what was sent decides.
        return not any("\0" in str(value) for value in (case.query or {}).values())
