/** The rules that all endpoints share, in Markdown. */
export const requestsPage: string = `
# Requests and limits

The rules that all endpoints share. [The reference](/docs/reference) has the fields of each endpoint.

## Authentication

Send your key in the header \`x-api-key\` with every request. The operator of the service issues keys. Call the API from your
backend only, and never ship a key in a browser or an app. A missing, invalid, revoked or expired key gets \`401\`; a key of a
suspended account gets \`403\`. A revoked key stops working within ten seconds.

A key has scopes: \`read\`, \`register\`, \`erase\`. The reference says which an endpoint needs; a key without it gets \`403\` with
\`Leadback-Error: scope-missing\`.

The API checks the key first, on every path: without a valid key, even an unknown path gets \`401\`. Then it checks, in this
order, the rate, the path, the scope, the media type, the body, and the rules of the endpoint.

## Requests

Send JSON in UTF-8 with \`Content-Type: application/json\`, at most 64 KiB (1 MiB for a batch),
uncompressed. Strings are trimmed. In an optional
field, \`null\`, an empty string and a blank string count as not sent. Control characters and unpaired surrogates are refused.
Lengths count characters after trimming. An import is a CSV file of at most 50 MiB instead, with the same fields as columns.

A live key ignores unknown fields of a body. The header [\`Leadback-Warning\`](/docs/errors#warnings) names everything that
was accepted, but not as sent, such as a rounded amount. A **test key** refuses them: \`400\` with \`Leadback-Error: invalid-fields\` names the
unknown field, and the most similar field that exists. Both refuse unknown parameters of the query. Typing errors in optional fields are found that way
before you go live.

\`amount\` is a JSON number from 0 to 9,999,999,999.99. Email addresses are matched trimmed, in lower case and in Unicode
NFC. Phone numbers are stored as sent; a number that cannot be parsed is stored too, with a warning, but platforms cannot match it.

## Errors

Every error has the body \`{"message": string}\` and nothing else. The message names the field and the problem:
\`amount: expected a number\`. Several problems are joined by \`; \`. A wrong method on a known path gets \`405\` with
\`Allow\`. Every response has an \`x-request-id\`. Send your own (letters, digits and \`_.:-\`, up to 64 characters) to find a
request again, and give it to support.

In programs, read the header \`Leadback-Error\` instead of the message. [Errors](/docs/errors) lists all codes, with what to do
and whether to retry.

## Retries

If a response is lost, retry the request. Retries are safe with either of:

- **your own identifiers**: a known \`externalReference\` gets \`200\` with the id of the client. A registered
  \`conversionExternalReference\` gets \`400\` with \`Leadback-Error: conversion-repeated\`, and the id of the first conversion in
  \`Leadback-Conversion-Id\`: the conversion is registered. If it has another amount, currency or client, the code is
  \`conversion-differs\`, and nothing was changed.
- **an \`Idempotency-Key\`** (up to 255 visible ASCII characters, such as a random UUID): the same key and body get
  the first response again for 24 hours. With another body it gets \`422\`; while the first request is in progress, \`409\`. A
  request that was refused for its format, key or rate, or that got \`404\` or \`5xx\`, does not use up the key. Register the
  client, then send the conversion again with the same key.

\`503\` means that nothing was registered, or that the result is unknown: retry after \`Retry-After\` seconds with the same
identifier or \`Idempotency-Key\`. After \`201\`, the data is on disk.

## Batches

\`POST /client/batch\` and \`POST /client/conversion/batch\` take up to 500 items and return the outcome of each, with its code and
message. \`?dryRun=true\` changes nothing. Items are registered in groups, each completely or
not at all: if the response is lost, send the same batch again.

## Time and event id

\`occurredAt\` is the time of a conversion (RFC 3339 with an offset, at most 400 days ago). Metrics count the conversion on
that day, in your account's time zone. Each platform has its own age limit: Meta and TikTok accept events of the last seven days, the others
of the last 90. An event that is too old for a platform is \`skipped\` with the reason \`event_too_old\`; the conversion itself is registered.

\`eventName\` is your own name for a kind of conversion, such as \`subscription\`, if campaigns should tell it from others. Your
operator sets what each platform calls it; without that, it is an ordinary conversion.

Each conversion has an **event id**, the same on every attempt: your \`eventId\`, otherwise your
\`conversionExternalReference\`, otherwise a new id. If your operator has set a prefix for your account, it is in front, unless the id has
it already. Then your pixel must send it, too. An \`eventId\` that another conversion of your account uses gets \`400\`.
[Deduplicate with a pixel](/docs#deduplicate-with-a-pixel) says how platforms use it.

## New customers

The first sale of a client that you register is that of a **new customer**, unless another client with the same email bought before. All later
ones are of a returning customer. Google (\`customerType\`) and Meta (\`customer_segmentation\`) are told. It is decided once, when the sale is
registered: report sales in the order in which they happened.

## Net amount

\`netAmount\` is the part of \`amount\` that you earn, such as your margin, in the same currency. Your operator can set a connection to
\`net\`: the platform is told the net amount as the value, so that campaigns look for sales that earn. Without it, the platform is told the amount, so send it with every sale. An adjustment
changes the amount, and the net amount keeps its part of it: of 100 with 30 net, a restated 60 counts 18. One that is larger than the amount is ignored, with
a warning. Metrics, reconciliation and webhooks have the amount.

## Items

\`items\` says what was sold: up to 100 products with \`id\`, \`name\`, \`quantity\` and the \`price\` of one in the currency of the
sale. Send the \`id\` that your catalogue has at Meta, TikTok or Google Merchant Center: they are told of products with one (\`contents\`,
\`cartData\`). What has no \`id\`, or one that could be somebody's, is told to nobody; names only to TikTok. An erasure of the client deletes them. They
are in no webhook and no file.

## Adjustments

A conversion is never changed. To change its total or take it back, register an adjustment with
\`POST /client/conversion/adjustment\`. Its \`kind\` is \`restate\` with the new total, or \`retract\`, which means 0 for good. Reading the
conversion returns the total now (\`amount\`), the \`originalAmount\`, and its \`adjustments\`. Metrics follow on the day of the
conversion.

Google's value is overwritten, after Google has confirmed the conversion; a retracted conversion keeps its count there.
Meta gets an event with what was taken back, if your operator has set one. The others cannot be told: \`skipped\` with the
reason \`not_supported\`.

## Rate limits

A key may make as many requests per second as its account allows (200 by default), and twice as many in one burst. On every
response after your key was checked, \`RateLimit-Policy\` has the size of the bucket (\`q\`, filled in \`w\` seconds). \`RateLimit\` has the requests left
(\`r\`, full again in \`t\` seconds). Each item of a batch counts as one request. A batch may exceed
what is left; then the next requests are refused until that is made up. Beyond the limit, requests get \`429\` with \`Retry-After\`. So do requests from an IP
address that keeps sending invalid keys. Each instance of the API counts separately, so the limit may be higher than this,
never lower.

## Test keys

A **test key** gets the same responses as a live key, except for [unknown fields](#requests), but its data is separate. Clients, conversions, references, event ids
and \`Idempotency-Key\`s of one mode are invisible to keys of the other. Metrics do not count tests. Register the client
with the test key too; an order that you tried in test mode can be registered live. A click of a page or of the script works in both modes. One that
a test key registered (\`POST /lead\`) is a test, for test clients alone.

Meta and TikTok receive test conversions as test events if a test event code is configured. Without one, the deliveries are
\`skipped\`; with one, the platform may still use the events for measurement. Google only validates them. LinkedIn
and Microsoft Advertising have no tests: the deliveries are \`skipped\`. Event ids of tests
begin with \`test:\`.
`.trim();
