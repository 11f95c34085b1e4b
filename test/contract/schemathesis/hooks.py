"""Each case comes from an address of its own: throttles count by address, and would answer all but the first few."""

import random

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    octets = (random.randint(1, 254) for _ in range(3))
    case.headers = {**(case.headers or {}), "X-Forwarded-For": "10." + ".".join(map(str, octets))}
