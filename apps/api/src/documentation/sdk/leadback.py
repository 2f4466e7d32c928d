"""Leadback for Python 3.9 and newer, in one file without dependencies. Copy it beside your code.

    from leadback import Leadback

    leadback = Leadback(os.environ["LEADBACK_KEY"], "https://api.example.com/api/v1")
    leadback.register_client({"leadReference": service_id, "externalReference": "customer-1042"})
    leadback.register_conversion({
        "clientExternalReference": "customer-1042",
        "conversionExternalReference": "order-8731",
        "amount": 149.9,
        "currency": "USD",
    })

Inputs and results are dictionaries with the field names of the API; see /docs of your API. Results of what is registered
have "warnings", a list of {"code", "field"}: what was accepted, but not as sent. With a test key, "advice" says it in words.
Every call retries by itself
if there is no response or a temporary error, and is safe to repeat. It raises a LeadbackError if the API refuses it, or
after the last retry. A Leadback object may be shared by threads.

License: MIT
"""

import base64
import binascii
import decimal
import email.utils
import hashlib
import hmac
import http.client
import json
import random
import re
import secrets
import socket
import time
import urllib.error
import urllib.parse
import urllib.request

_FIRST_PAUSE = 0.5
_PAUSE_MAX = 8.0
# a longer Retry-After is not waited for: the error arrives at once, and a later job can retry
_RETRY_AFTER_MAX = 60.0
# limits of one request of the API
_ITEMS_MAX = 500
_BYTES_MAX = 1024 * 1024
_WEBHOOK_TOLERANCE = 5 * 60


class LeadbackError(Exception):
    """A request that failed after all retries, or a webhook that is not genuine. Contains no secret.

    status: the HTTP status; 0 if there was no response.
    code: the header Leadback-Error, or if the API sent none: "no-response" and "timeout" (the request may have
        succeeded), "unexpected-response" (from something else than the API), "webhook-invalid", "webhook-expired".
    request_id: the x-request-id of the response, for support.
    """

    def __init__(self, status, code, message, request_id=None):
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.request_id = request_id


class Leadback:
    """The API of one account and mode (live or test, as the key says).

    base_url: with /api/v1. timeout: longest wait of one attempt, in seconds. retries_max: after the first attempt.
    """

    def __init__(self, api_key, base_url, timeout=10.0, retries_max=5):
        self._api_key = _parse_api_key(api_key)
        self._base_url = _parse_base_url(base_url)
        if not timeout > 0:
            raise ValueError("timeout: expected a number above 0")
        if retries_max < 0:
            raise ValueError("retries_max: expected a number from 0")
        self._timeout = timeout
        self._retries_max = retries_max
        self._opener = urllib.request.build_opener(_NoRedirects)

    def check_key(self):
        """Confirms that the key is valid and active."""
        return _body_of(self._send("GET", "/"))

    def register_lead(self, lead, idempotency_key=None):
        """Registers a click that arrives at your own page: {"id", "leadReference", "setCookie", "isRepeated"}.

        Without a click id and a utm parameter in its url, leadReference is None and there is no setCookie. isRepeated: the
        click was registered before. Set setCookie as the header Set-Cookie of your response to the visitor.
        """
        reply = self._register("/lead", lead, idempotency_key)
        result = _accepted(reply)
        return {**result, "isRepeated": reply.status == 200 and result["leadReference"] is not None}

    def register_client(self, client, idempotency_key=None):
        """Registers the person behind a lead reference: {"id", "isRepeated"}.

        isRepeated: a client with this externalReference exists; what was missing of it is filled in.
        """
        reply = self._register("/client", client, idempotency_key)
        return {**_accepted(reply), "isRepeated": reply.status == 200}

    def register_clients(self, clients, dry_run=False):
        """Registers any number of clients, in batches: {"results", "counts", "dryRun"}.

        Look at "outcome" of each result: an item that is refused does not stop the others. If a batch fails, those
        before it are registered: call again with the same items.
        """
        counts = {"created": 0, "existing": 0, "refused": 0}
        return self._send_in_batches("/client/batch", clients, counts, dry_run, has_key=True)

    def register_conversion(self, conversion, idempotency_key=None):
        """Registers a sale and reports it to your platforms: {"id", "leadId", "isRepeated"}.

        isRepeated: it was registered before, which is a success, too; then there is no leadId. If it was registered with
        another amount, currency or client, this raises conversion-differs. Send your order number as
        conversionExternalReference: only then is a later call for the same sale recognized.
        """
        reply = self._register("/client/conversion", conversion, idempotency_key)
        if reply.code != "conversion-repeated":
            return {**_accepted(reply), "isRepeated": False}
        error = _error_of(reply)
        first_id = reply.headers.get("leadback-conversion-id")
        # if the event id belongs to another sale, this one was not registered
        has_reference = not _is_blank(conversion.get("conversionExternalReference"))
        field = reply.headers.get("leadback-repeated-field")
        is_other_sale = has_reference and field != "conversionExternalReference"
        if first_id is None or is_other_sale:
            raise error
        return {"id": int(first_id), "warnings": [], "isRepeated": True}

    def register_conversions(self, conversions, dry_run=False):
        """Registers any number of conversions, in batches, as register_clients does."""
        counts = {"created": 0, "repeated": 0, "differs": 0, "refused": 0}
        return self._send_in_batches("/client/conversion/batch", conversions, counts, dry_run, has_key=False)

    def adjust_conversion(self, adjustment, idempotency_key=None):
        """Changes the amount of a conversion to a new total ("restate"), or takes the conversion back ("retract"):
        {"id", "conversionId", "isRepeated"}.

        isRepeated: the same was registered before, or the conversion was taken back before, which is a success, too; then
        there is no id. With the reference of another adjustment, this raises invalid-fields.
        """
        reply = self._register("/client/conversion/adjustment", adjustment, idempotency_key)
        is_taken_back = (
            reply.code == "conversion-retracted"
            and adjustment.get("kind") == "retract"
            and _is_blank(adjustment.get("adjustmentExternalReference"))
        )
        if reply.code != "adjustment-repeated" and not is_taken_back:
            return {**_accepted(reply), "isRepeated": False}
        conversion_id = reply.headers.get("leadback-conversion-id")
        named = {} if conversion_id is None else {"conversionId": int(conversion_id)}
        return {**named, "warnings": [], "isRepeated": True}

    def get_client(self, client_id):
        return _body_of(self._send("GET", f"/client/{urllib.parse.quote(str(client_id), safe='')}"))

    def erase_client(self, person, idempotency_key=None):
        """Erases the personal data of a person for good, within seconds: {"id"}. Name the person by exactly one of
        clientExternalReference, email and leadReference. Keep the id: get_erasure has the receipt.
        """
        return _body_of(self._register("/client/erasure", person, idempotency_key))

    def allow_client(self, person):
        """Lets the account register an erased person again ("suppressed"): {"erasureIds"}. Name the person by exactly one
        of erasureId, email and phoneNumber.
        """
        return _body_of(self._send("POST", "/client/allow", body=_to_json(person)))

    def get_erasure(self, erasure_id):
        """How far an erasure is, and its signed receipt once its state is "done"."""
        return _body_of(self._send("GET", f"/client/erasure/{urllib.parse.quote(str(erasure_id), safe='')}"))

    def get_conversion(self, conversion_id):
        """A conversion, with its delivery to each platform."""
        return _body_of(self._send("GET", f"/client/conversion/{urllib.parse.quote(str(conversion_id), safe='')}"))

    def find_conversion(self, reference):
        """As get_conversion, by your own conversionExternalReference."""
        return _body_of(self._send("GET", "/client/conversion", {"externalReference": reference}))

    def list_conversions(self, conditions=None):
        """Yields conversions, newest first: list_conversions({"state": "failed"}). Requests further pages when needed."""
        after = None
        while True:
            page = _body_of(self._send("GET", "/client/conversions", {**(conditions or {}), "after": after}))
            yield from page["items"]
            after = page["next"]
            if after is None:
                return

    def _register(self, path, body, idempotency_key):
        return self._send("POST", path, body=_to_json(body), idempotency_key=idempotency_key or secrets.token_hex(16))

    def _send_in_batches(self, path, items, counts, dry_run, has_key):
        results = []
        for start, body in _batch_bodies(items):
            key = secrets.token_hex(16) if has_key else None
            query = {"dryRun": "true"} if dry_run else {}
            reply = _body_of(self._send("POST", path, query, body, key))
            # indexes of the API count from the start of each request
            results += [{**result, "index": start + result["index"]} for result in reply["results"]]
            for outcome, count in reply["counts"].items():
                counts[outcome] = counts.get(outcome, 0) + count
        return {"results": results, "counts": counts, "dryRun": dry_run}

    def _send(self, method, path, query=None, body=None, idempotency_key=None):
        """The only place that retries: the same request with the same idempotency key, until a lasting reply."""
        sent = {name: value for name, value in (query or {}).items() if value is not None}
        url = self._base_url + path + ("?" + urllib.parse.urlencode(sent) if sent else "")
        headers = {"x-api-key": self._api_key, "accept": "application/json"}
        if body is not None:
            headers["content-type"] = "application/json"
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        retries = 0
        while True:
            failure = reply = None
            try:
                reply = self._attempt(urllib.request.Request(url, body, headers, method=method))
            except (OSError, http.client.HTTPException) as error:
                failure = self._no_response(error)
            pause = None
            if retries < self._retries_max and (failure or _is_temporary(reply)):
                pause = _retry_pause(retries, None if failure else reply.headers.get("retry-after"))
            if pause is None:
                if failure:
                    raise failure
                return reply
            time.sleep(pause)
            retries += 1

    def _attempt(self, request):
        deadline = time.monotonic() + self._timeout
        try:
            response = self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            response = error  # an error response has a body, too
        with response:
            body = b""
            while True:
                chunk = response.read1(65536)
                if not chunk:
                    break
                body += chunk
                if time.monotonic() > deadline:
                    raise socket.timeout()
            length = response.headers.get("content-length")
            if length is not None and len(body) < int(length):
                raise http.client.IncompleteRead(body)
            return _Reply(response.code, response.headers, body)

    def _no_response(self, error):
        reason = getattr(error, "reason", error)
        if isinstance(reason, socket.timeout):
            return LeadbackError(0, "timeout", f"no response within {self._timeout} s")
        text = (str(reason) or type(reason).__name__).replace(self._api_key, "…")
        return LeadbackError(0, "no-response", f"no response: {text}")


def looks_like_lead_reference(text):
    """Whether a text has the form of a lead reference, 22 letters and digits, or of the cookie "leadback", which has
    more behind a dot. Only the API knows whether it exists."""
    return isinstance(text, str) and re.fullmatch(r"[0-9A-Za-z]{22}(\.[0-9]{1,12}(\.[0-9a-z]*)?)?", text) is not None


def verify_webhook(raw_body, headers, secret):
    """Returns the event of a webhook ({"type", "timestamp", "data"}) if one of its signatures is genuine and its time is
    at most 5 minutes off. Otherwise raises a LeadbackError: respond with 400.

    raw_body: the body as received (bytes or str), before it is parsed as JSON. headers: any mapping.
    """
    key = _from_base64(secret.strip()[6:] if secret.strip().startswith("whsec_") else secret.strip())
    if not key:
        raise ValueError("secret: expected the secret of the webhook, whsec_…")
    sent = {name.lower(): value for name, value in headers.items()}
    message_id = sent.get("webhook-id", "")
    timestamp = sent.get("webhook-timestamp", "")
    if not message_id or not re.fullmatch("[0-9]{1,15}", timestamp):
        raise LeadbackError(0, "webhook-invalid", "webhook-id or webhook-timestamp is missing")
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    expected = hmac.new(key, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    signatures = [part[3:] for part in sent.get("webhook-signature", "").split(" ") if part.startswith("v1,")]
    if not any([hmac.compare_digest(expected, _from_base64(signature)) for signature in signatures]):
        raise LeadbackError(0, "webhook-invalid", "webhook-signature: no signature is valid")
    if abs(time.time() - int(timestamp)) > _WEBHOOK_TOLERANCE:
        raise LeadbackError(0, "webhook-expired", "webhook-timestamp: more than 5 minutes off")
    return json.loads(body)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the key to another host."""

    def redirect_request(self, *_):
        return None


class _Reply:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body
        self.code = headers.get("leadback-error")


def _parse_api_key(api_key):
    key = api_key.strip() if isinstance(api_key, str) else ""
    if not key:
        raise ValueError("api_key: must not be empty")
    # a key with a line break would be quoted in the error of urllib
    if not re.fullmatch("[\x21-\x7e]+", key):
        raise ValueError("api_key: expected visible ASCII characters without spaces")
    return key


def _parse_base_url(base_url):
    url = urllib.parse.urlsplit(str(base_url))
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError("base_url: expected a URL with its scheme, such as https://api.example.com/api/v1")
    if url.username is not None or url.password is not None:
        raise ValueError("base_url: must not contain a user or password")
    return urllib.parse.urlunsplit((url.scheme, url.netloc, url.path.rstrip("/"), "", ""))


def _parse_object(body):
    try:
        parsed = json.loads(body)
    except ValueError:
        return None
    return parsed if isinstance(parsed, dict) else None


def _error_of(reply):
    body = _parse_object(reply.body) or {}
    message = body.get("message", f"unexpected response with status {reply.status}; check base_url")
    return LeadbackError(
        reply.status, reply.code or "unexpected-response", str(message), reply.headers.get("x-request-id")
    )


def _body_of(reply):
    body = _parse_object(reply.body) if 200 <= reply.status < 300 else None
    if body is None:
        raise _error_of(reply)
    return body


def _accepted(reply):
    """The body of a successful reply, with the warnings of its header: rounded;field=amount, not-usable;field=email."""
    body = _body_of(reply)
    if "warnings" in body:
        body["advice"] = body["warnings"]
    header = reply.headers.get("leadback-warning") or ""
    body["warnings"] = [
        {"code": code, "field": field} for code, field in re.findall(r"([\w-]+);field=([\w.-]+)", header)
    ]
    return body


def _is_blank(reference):
    return str("" if reference is None else reference).strip() == ""


def _is_temporary(reply):
    return reply.status in (408, 429) or reply.status >= 500 or reply.code == "idempotency-in-progress"


def _retry_after(header):
    if header is None:
        return 0.0
    if re.fullmatch("[0-9]+", header):
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0.0


def _retry_pause(retries_done, header):
    """Random between 0 and a limit that doubles, and later than Retry-After says. None: too long to wait for."""
    demanded = _retry_after(header)
    if demanded > _RETRY_AFTER_MAX:
        return None
    spread = _FIRST_PAUSE if demanded > 0 else min(_PAUSE_MAX, _FIRST_PAUSE * 2**retries_done)
    return demanded + random.random() * spread


def _number(value):
    if isinstance(value, decimal.Decimal):
        return float(value)
    raise TypeError(f"cannot send a {type(value).__name__} as JSON")


def _to_json(value):
    return json.dumps(value, default=_number, allow_nan=False, separators=(",", ":")).encode()


def _batch_bodies(items):
    """Bodies that the API accepts, each with the position of its first item."""
    start, texts, size = 0, [], 0
    for index, item in enumerate(items):
        text = _to_json(item)
        if texts and (len(texts) == _ITEMS_MAX or size + len(text) + 1 > _BYTES_MAX):
            yield start, b'{"items":[' + b",".join(texts) + b"]}"
            start, texts, size = index, [], 0
        texts.append(text)
        size += len(text) + 1 if size else len('{"items":[]}') + len(text) + 1
    if texts:
        yield start, b'{"items":[' + b",".join(texts) + b"]}"


def _from_base64(text):
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
