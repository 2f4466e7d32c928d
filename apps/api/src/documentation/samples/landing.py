"""A page to which ads lead, as a WSGI application. Beside leadback.py of your API.

LEADBACK_URL=https://api.example.com/api/v1 LEADBACK_KEY=lb_... python landing.py 8000
Behind a proxy, take scheme, host and address from the headers that it sets.
"""

import logging
import os
import re
import sys
import urllib.parse
from wsgiref.simple_server import make_server
from wsgiref.util import request_uri

from leadback import Leadback

COOKIES = ("_fbp", "_fbc", "_ttp", "_epik", "_scid", "_rdt_uuid", "leadback")
CLICKED = re.compile(
    "(^|&)(utm_|gad_|(gclid|gbraid|wbraid|fbclid|ttclid|msclkid|li_fat_id|epik|ScCid|twclid|rdt_cid|oppref)=)", re.I
)

# the visitor waits: one retry, and no long ones
leadback = Leadback(os.environ["LEADBACK_KEY"], os.environ["LEADBACK_URL"], timeout=1.0, retries_max=1)


def keep_click(environ):
    """Registers the click of an ad or a campaign. Returns the value for Set-Cookie, or None. Whatever fails, your page
    is shown."""
    if environ["REQUEST_METHOD"] != "GET" or not CLICKED.search(environ.get("QUERY_STRING", "")):
        return None
    cookies = (pair.strip().partition("=") for pair in environ.get("HTTP_COOKIE", "").split(";"))
    try:
        lead = leadback.register_lead({
            "url": request_uri(environ),
            "referrer": environ.get("HTTP_REFERER"),
            "ip": environ.get("REMOTE_ADDR"),
            "userAgent": environ.get("HTTP_USER_AGENT"),
            "cookies": {name: urllib.parse.unquote(value) for name, _, value in cookies if name in COOKIES},
            "globalPrivacyControl": environ.get("HTTP_SEC_GPC") == "1",
        })
        return lead.get("setCookie")
    except Exception as error:
        logging.warning("Leadback: %s", error)
        return None


def page(environ, start_response):
    set_cookie = keep_click(environ)
    headers = [("Content-Type", "text/html; charset=utf-8")]
    start_response("200 OK", headers + ([("Set-Cookie", set_cookie)] if set_cookie else []))
    return [b"<!doctype html><title>Mates</title><p>When the visitor signs up or buys, send the cookie leadback as leadReference."]


if __name__ == "__main__":
    make_server("127.0.0.1", int(sys.argv[1]), page).serve_forever()
