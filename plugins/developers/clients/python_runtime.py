import base64
import hashlib
import hmac
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, Iterator, List, Literal, Mapping, Optional, TypedDict, Union


class ApiError(Exception):
    """An answer that is no success; `code` never changes its meaning."""

    def __init__(self, status: int, body: Mapping[str, Any], retry_after: Optional[float]) -> None:
        detail = body.get("detail")
        super().__init__(detail if isinstance(detail, str) else f"{body.get('code', 'error')} ({status})")
        self.status = status
        self.code: str = str(body.get("code", ""))
        self.request_id: str = str(body.get("request_id", ""))
        #: Of a 422: type, loc and msg of each problem.
        self.problems: List[Dict[str, Any]] = detail if isinstance(detail, list) else []
        #: Seconds; None where the answer names none.
        self.retry_after = retry_after
        self.body = body


def _seconds_of(header: Optional[str]) -> Optional[float]:
    """As given in the header: seconds, or a date."""
    if not header:
        return None
    if header.isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _body_of(text: str) -> Mapping[str, Any]:
    try:
        body = json.loads(text)
        return body if isinstance(body, dict) else {"detail": text[:200]}
    except ValueError:
        return {"detail": text[:200]}


def _text_of(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


class ApiClient:
    """What the generated methods call."""

    def __init__(
        self,
        key: Optional[str] = None,
        base_url: str = BASE_URL,
        retries: int = 3,
        longest_wait_seconds: float = 60.0,
        timeout_seconds: float = 60.0,
    ) -> None:
        self._key = key
        self._base_url = base_url.rstrip("/")
        self._retries = retries
        self._longest_wait = longest_wait_seconds
        self._timeout = timeout_seconds

    def _request(
        self, method: str, path: str, given: Mapping[str, Any], body: Any, accept: str, idempotency_key: Optional[str]
    ) -> urllib.request.Request:
        query = {}
        for name, value in given.items():
            if value is None:
                continue
            if "{" + name + "}" in path:
                path = path.replace("{" + name + "}", urllib.parse.quote(_text_of(value), safe=""))
            else:
                query[name] = _text_of(value)
        address = self._base_url + path + ("?" + urllib.parse.urlencode(query) if query else "")
        request = urllib.request.Request(address, method=method)
        request.add_header("Accept", accept)
        if self._key:
            request.add_header("Authorization", f"Bearer {self._key}")
        if idempotency_key:
            request.add_header("Idempotency-Key", idempotency_key)
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode("utf-8")
        return request

    def _send(
        self,
        method: str,
        path: str,
        given: Mapping[str, Any],
        body: Any = None,
        accept: str = "application/json",
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Raises ApiError for every answer that is no success, once it has been tried often enough."""
        tried = 0
        while True:
            request = self._request(method, path, given, body, accept, idempotency_key)
            try:
                return urllib.request.urlopen(request, timeout=self._timeout)
            except urllib.error.HTTPError as error:
                retry_after = _seconds_of(error.headers.get("Retry-After"))
                seconds = retry_after if retry_after is not None else 2**tried * (0.75 + random.random() / 2)
                # A 429 was not begun; after a 503 only what may be done twice is sent again.
                may_repeat = error.code == 429 or (error.code == 503 and (method == "GET" or idempotency_key))
                if tried >= self._retries or seconds > self._longest_wait or not may_repeat:
                    text = error.read().decode("utf-8", "replace")
                    raise ApiError(error.code, _body_of(text), retry_after) from None
                error.close()
                time.sleep(seconds)
                tried += 1

    def _json(self, method: str, path: str, given: Mapping[str, Any], **more: Any) -> Any:
        with self._send(method, path, given, **more) as reply:
            return json.loads(reply.read().decode("utf-8"))

    def _text(self, method: str, path: str, given: Mapping[str, Any], **more: Any) -> str:
        with self._send(method, path, given, accept="*/*", **more) as reply:
            return str(reply.read().decode("utf-8"))

    def _events(self, method: str, path: str, given: Mapping[str, Any], **more: Any) -> Iterator[Dict[str, Any]]:
        """Server-sent events as {"event", "id", "data"}; comments are left out."""
        with self._send(method, path, given, accept="text/event-stream", **more) as reply:
            fields: Dict[str, str] = {}
            for raw in reply:
                line = raw.decode("utf-8").rstrip("\r\n")
                name, _, value = line.partition(":")
                if line == "" and "data" in fields:
                    data = json.loads(fields["data"])
                    yield {"event": fields.get("event", "message"), "id": fields.get("id", ""), "data": data}
                    fields = {}
                elif name in ("event", "id", "data"):
                    text = value[1:] if value.startswith(" ") else value
                    fields[name] = fields[name] + "\n" + text if name == "data" and "data" in fields else text


def each_page(call: Callable[..., Any], **given: Any) -> Iterator[Any]:
    """Every page of a list: by `next_cursor` where the answer has one, else by `page`.

    for page in each_page(base.products_list, supplement="zinc"): ...
    """
    more: Optional[Dict[str, Any]] = given
    while more is not None:
        answer = call(**more)
        yield answer
        page = answer.get("page", 1)
        if answer.get("next_cursor"):
            more = {**given, "page": None, "cursor": answer["next_cursor"]}
            if "page" not in given:
                del more["page"]
            continue
        if "has_next" in answer:
            has_next = answer["has_next"]
        elif "total_pages" in answer:
            has_next = page < answer["total_pages"]
        else:
            has_next = answer.get("page_size", 0) > 0 and page * answer["page_size"] < answer.get("total", 0)
        more = {**given, "page": page + 1} if has_next else None


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: Union[str, bytes], tolerance_seconds: float = 300
) -> Dict[str, Any]:
    """The event of a webhook, once its signature (Standard Webhooks, v1) and its time are checked.

    `body` is exactly what came, not parsed and written again. Raises ValueError for what was not sent by who knows the
    secret, or too long ago.
    """
    known = {name.lower(): value for name, value in headers.items()}
    timestamp = known.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise ValueError("The webhook was sent too long ago, or its time is missing")
    raw = body.encode("utf-8") if isinstance(body, str) else body
    key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    signed = f"{known.get('webhook-id', '')}.{timestamp}.".encode("utf-8") + raw
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode("ascii")
    for signature in known.get("webhook-signature", "").split(" "):
        version, _, text = signature.partition(",")
        if version == "v1" and hmac.compare_digest(text.encode("utf-8"), expected.encode("ascii")):
            event: Dict[str, Any] = json.loads(raw)
            return event
    raise ValueError("The signature of the webhook does not fit")
