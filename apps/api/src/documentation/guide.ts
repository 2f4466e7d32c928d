import { refusalCodes, refusals } from '@leadback/domain';
import { statusOfCode } from '@leadback/http';

const codeRows = refusalCodes.map((code) => `| \`${code}\` | ${statusOfCode[code]} | ${refusals[code]} |`).join('\n');

/** What a partner's developer reads before the list of endpoints; Markdown. */
export const guide = `
Advertisers pay for clicks and do not learn which click became a sale. Here you tell us, and we tell Meta,
Google Ads and TikTok.

1. A visitor clicks an advertisement and passes a landing page of ours, which sends them on to your own page with
   \`?serviceId=<lead reference>\`. **Keep that value with the visitor**, whole and unchanged.
2. When you know who the visitor is, your backend **registers the client** with the lead reference: \`POST /client\`.
3. Whenever the client does something of worth, your backend **registers the conversion**: \`POST /client/conversion\`.
   We report it to the platforms that are set up for your account, and try again for three days where one is not there.
4. \`GET /client/conversion/{id}\` tells **what became of each report**.

Try it with a few lines of shell:

\`\`\`sh
base=https://api.example.com/api/v1   # the address that you were given
key=lb_…                              # your API key

curl $base/ -H "x-api-key: $key"

curl $base/client -H "x-api-key: $key" -H 'content-type: application/json' \\
  -d '{"leadReference":"Zk3vT9qLm2XcB7nRw5YdHs","email":"ana@example.com","externalReference":"customer-1042"}'

curl $base/client/conversion -H "x-api-key: $key" -H 'content-type: application/json' \\
  -d '{"clientExternalReference":"customer-1042","amount":149.9,"currency":"USD","conversionExternalReference":"order-8731"}'

curl "$base/client/conversion?externalReference=order-8731" -H "x-api-key: $key"
\`\`\`

## Keys

Every request carries your key in the header \`x-api-key\`. Keys are issued by the operator of the service; call from your
backend only, and never ship a key to a browser or an app. A key that is missing, wrong, revoked or expired is answered
\`401\`, one of a suspended account \`403\`. A revoked key stops working within ten seconds.

The key is looked at first, on every path: without one even an unknown path is answered \`401\`. Then come, in this order,
the rate, the address, the media type, the body, and the rules of the endpoint.

## Bodies

JSON in UTF-8 with \`Content-Type: application/json\`, at most 64 KiB, uncompressed. Strings are trimmed; where a field is
optional, \`null\`, an empty string and one of blanks alone read as if it had not been sent. Control characters and halves of
surrogate pairs are refused. Lengths count characters, after trimming. Fields that nobody described are ignored.

\`amount\` is a JSON number from 0 to 9 999 999 999.99. E-mail addresses are matched trimmed, in lower case and in Unicode
NFC. A phone number is kept as it was sent; one that cannot be read is kept, too, but matches nobody at the platforms.

## Errors

Every error has the body \`{"message": string}\` and nothing else. The message names the field and what is wrong with it:
\`amount: expected a number\`; several are joined by \`; \`. Another method on a known address is answered \`405\` with
\`Allow\`. Every answer carries an \`x-request-id\`; send your own (letters, digits and \`_.:-\`, up to 64 of them) to find a
request again, and name it when you ask us.

Programs read the header \`Leadback-Error\` instead of the message: it is on every error, and one of these codes.

| \`Leadback-Error\` | status | meaning |
|---|---|---|
${codeRows}

## When an answer is lost

Repeat the request. It is safe with either of:

- **your own references**: an \`externalReference\` that is known is answered \`200\` with the client's id, a
  \`conversionExternalReference\` that was registered before \`400\` with \`Leadback-Error: conversion-repeated\` and the id of
  the first conversion in \`Leadback-Conversion-Id\`: it is done.
- **an \`Idempotency-Key\`** (any text of up to 255 visible ASCII characters, such as a random UUID): the same key with the
  same body gets the first answer again for 24 hours. With another body it is answered \`422\`, while the first request is
  still in progress \`409\`. A request that was refused for its form, its key or its rate, or answered \`404\` or \`5xx\`, does
  not use the key up: register the client, then send the conversion again with the same key.

\`503\` means that nothing was registered, or that we cannot tell: repeat after \`Retry-After\` seconds with the same reference
or \`Idempotency-Key\`. What was answered \`201\` is on disk.

## When it happened, and under which id

\`occurredAt\` says when a conversion occurred (RFC 3339 with an offset, at most 400 days ago). Metrics count it on that day,
in UTC. Each platform has an age limit of its own: Meta and TikTok take nothing older than seven days. What is too old for a
platform is \`skipped\` with the reason \`event_too_old\`; the conversion itself is registered.

Each conversion has an **event id**, the same on every attempt: your \`eventId\`, else your \`conversionExternalReference\`, else
an id of ours. If a pixel or tag on your page reports the same sale, give it the same id, and the platform counts the sale
once:

\`\`\`html
<script>
  fbq('track', 'Purchase', { value: 149.9, currency: 'USD' }, { eventID: 'order-8731' }); // Meta
  gtag('event', 'conversion', { send_to: 'AW-…/…', value: 149.9, currency: 'USD', transaction_id: 'order-8731' }); // Google
  ttq.track('Purchase', { value: 149.9, currency: 'USD' }, { event_id: 'order-8731' }); // TikTok
</script>
\`\`\`

An \`eventId\` that another conversion of your account has is answered \`400\`. Meta and TikTok count once only if the event's
name is the same, too (\`Purchase\` unless your connection is set up otherwise).

## Rate

A key may make as many requests a second as its account is set to (200 unless agreed otherwise), and twice that in one
burst. \`RateLimit-Policy\` and \`RateLimit\` tell, on every answer, the size of the bucket (\`q\`, filled in \`w\` seconds) and
what is left of it (\`r\`, full again in \`t\` seconds). Beyond it the answer is \`429\` with \`Retry-After\`. An address that
keeps sending wrong keys is answered \`429\` as well. Each instance of the API counts for itself, so that you may see more
pass than this, never less.

## Test keys

A **test key** is answered like any other, and its data are apart from live data: clients, conversions, references, event ids
and \`Idempotency-Key\`s of one mode are never seen by keys of the other, and no metric counts tests. Register the client with
the test key as well; an order that you tried out can be registered live. Lead references serve both modes.

Meta and TikTok get test conversions as test events if a test event code is set up (without one they are \`skipped\`, and with
one the platform may measure with them all the same); Google is asked to check them only. Their event ids begin with \`test:\`.
`.trim();
