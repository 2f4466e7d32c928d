"""A page to which ads lead, as a WSGI application. Beside leadback.py of your API.

LEADBACK_URL=https://api.example.com/api/v1 LEADBACK_KEY=lb_... python landing.py 8000
Behind a proxy, take scheme, host and address from the headers that it sets.
"""

import logging
import os
import re
import sys
import time
from urllib.parse import unquote
from wsgiref.simple_server import make_server
from wsgiref.util import request_uri

from leadback import Leadback, LeadbackError

COOKIES = ("_fbp", "_fbc", "_ttp", "_epik", "_scid", "_rdt_uuid", "leadback")
CLICKED = re.compile(
    "(^|&)(utm_|gad_|(gclid|gbraid|wbraid|fbclid|ttclid|msclkid|li_fat_id|epik|ScCid|twclid|rdt_cid|oppref)=)", re.I
)
FILE = re.compile(r"\.(avif|css|gif|ico|jpe?g|js|json|png|svg|txt|webp|woff2?|xml)$", re.I)
EARLY = re.compile("prefetch|prerender|preview", re.I)

# the visitor waits
leadback = Leadback(os.environ["LEADBACK_KEY"], os.environ["LEADBACK_URL"], timeout=0.5, retries_max=0)
# after a failure, no visitor waits for five seconds
down_until = 0.0


def consent_of(cookies):
    """What your consent banner has stored. None: the visitor was not asked."""
    word = cookies.get("consent")
    return {"adUserData": word, "adPersonalization": word} if word in ("granted", "denied") else None


def is_click(environ):
    """Whether the request is a visit to a page with a click of an ad or a campaign."""
    return (
        environ["REQUEST_METHOD"] == "GET"
        and CLICKED.search(environ.get("QUERY_STRING", ""))
        and environ.get("HTTP_SEC_FETCH_DEST", "document") == "document"
        and not EARLY.search(environ.get("HTTP_SEC_PURPOSE", "") + environ.get("HTTP_PURPOSE", ""))
        and not FILE.search(environ.get("PATH_INFO", ""))
    )


def keep_click(environ):
    """Registers the click. Returns the value for Set-Cookie, or None. Whatever fails, your page is shown; that click is
    lost."""
    global down_until
    if not is_click(environ) or time.monotonic() < down_until:
        return None
    pairs = (pair.strip().partition("=") for pair in environ.get("HTTP_COOKIE", "").split(";"))
    cookies = {name: unquote(value) for name, _, value in pairs}
    try:
        lead = leadback.register_lead({
            "url": request_uri(environ),
            "referrer": environ.get("HTTP_REFERER"),
            "ip": environ.get("REMOTE_ADDR"),
            "userAgent": environ.get("HTTP_USER_AGENT"),
            "cookies": {name: value for name, value in cookies.items() if name in COOKIES},
            "consent": consent_of(cookies),
            "globalPrivacyControl": environ.get("HTTP_SEC_GPC") == "1",
        })
        for warning in lead["warnings"]:
            logging.warning("Leadback: %s %s", warning["code"], warning["field"])
        return lead.get("setCookie")
    except Exception as error:
        logging.warning("Leadback: %s", error)
        if isinstance(error, LeadbackError) and (error.status == 0 or error.status >= 500):
            down_until = time.monotonic() + 5
        return None


def page(environ, start_response):
    set_cookie = keep_click(environ)
    headers = [("Content-Type", "text/html; charset=utf-8")]
    start_response("200 OK", headers + ([("Set-Cookie", set_cookie)] if set_cookie else []))
    return [b"<!doctype html><title>Mates</title><p>When the visitor signs up or buys, send the cookie leadback as leadReference."]


if __name__ == "__main__":
    make_server("127.0.0.1", int(sys.argv[1]), page).serve_forever()
