import { askedErasureDays, erasuresPerKeyAndDay, importBytesMax } from '@leadback/domain';
import { fileLimits } from '../../packages/core/src/imports/store.ts';
import { openErasuresPerNetwork } from '../../packages/core/src/erasure/ask/ask-erasure.ts';
import { networkErasuresPerHour, visitorErasuresPerHour } from '../../packages/core/src/erasure/perform-erasure.ts';
import { defaultPorts } from '../../packages/platforms/src/webhook-address.ts';
import { listItemsMax } from '../../packages/server/src/http/bodies.ts';
import { pageOf, table } from './table.ts';

const number = (value: number) => value.toLocaleString('en-US');

/** What a request may have, and what happens beyond it. */
const requests = [
  ['body of a request', '64 KiB within 30 s'],
  ['body of a batch, or of a list as JSON', '1 MiB within 30 s'],
  ['CSV file', `${importBytesMax / 2 ** 20} MiB within 15 min, ${number(fileLimits.rowsMax)} rows, 8 KiB a row`],
  ['uploaded image', '512 KiB, 8,000 pixels a side, 20 megapixels'],
  ['headers with the URL', '16 KiB (landing: 32 KiB) within 10 s'],
  ['items of a batch', '500; eight batches at once'],
  ['items of a list as JSON', number(listItemsMax)],
  ['adjustments of a sale', '100, and one that retracts it'],
  ['age of a sale', '400 days'],
  ['`Idempotency-Key`', '255 characters, kept for 24 hours'],
  ['`eventId`', '64 characters: letters, digits and `._:-`'],
  ['click parameter', '512 characters'],
  ['text of a landing page', '3,000 characters'],
  ['open files of an account', '10'],
  ['webhooks of an account and mode', '10'],
];

/** A limit that somebody without any right can use up: who is hit, and what proves it. */
interface StrangerLimit {
  readonly limit: string;
  /** What counts, and for whom. */
  readonly counts: string;
  /** Whom it can hit, and how they get past it. */
  readonly way: string;
  readonly test: string;
}

export const strangerLimits: readonly StrangerLimit[] = [
  {
    limit: '10,000 connections of a process',
    counts: 'open ones; from 8,000 on, unused ones are closed, first of who has most',
    way: 'nobody, while others can be closed; LeadbackConnectionsFull fires',
    test: 'packages/server/test/http/connections.test.ts',
  },
  {
    limit: '1,000 connections of a network, 2,000 of a /56, 4,000 of a /48 or /24',
    counts: 'those of strangers, while `TRUST_PROXY` is 0',
    way: 'older ones of the same network, but not those of a known caller',
    test: 'packages/server/test/http/connections.test.ts',
  },
  {
    limit: '500 connections of a known caller',
    counts: 'those of an API key or a person of the console',
    way: 'the caller itself: use connections again',
    test: 'packages/server/test/http/connections.test.ts',
  },
  {
    limit: '2,000 requests that wait (api, console)',
    counts: 'by key, person or wide network. Strangers have a quarter of the places',
    way: 'who has most: 503 `overloaded` with `Retry-After`',
    test: 'packages/server/test/http/take-turns.test.ts',
  },
  {
    limit: '1 MiB of a body after its response',
    counts: 'bytes of one request that was refused (a file: 50 MiB)',
    way: 'the caller: the connection is closed',
    test: 'packages/server/test/http/bodies.test.ts',
  },
  {
    limit: '100 invalid API keys, then 10 per second',
    counts: 'those of a network',
    way: 'nobody with a valid key',
    test: 'apps/api/test/api-keys.test.ts',
  },
  {
    limit: '200 requests per second, twice as many in a burst',
    counts: 'those of a key, in each instance; set by account',
    way: 'the partner: 429 with `Retry-After`',
    test: 'apps/api/test/api-keys.test.ts',
  },
  {
    limit: '2 GiB of imported files',
    counts: 'files that are kept, of an account and mode',
    way: 'the partner: 400, until retention deletes earlier ones',
    test: 'apps/api/test/imports.test.ts',
  },
  {
    limit: `${number(erasuresPerKeyAndDay)} erasures`,
    counts: 'of a key and day',
    way: 'the partner: 429. Another key, the console',
    test: 'apps/api/test/api-keys.test.ts',
  },
  {
    limit: '500 leads, then 50 per second (`LEAD_BURST`, `LEAD_RATE`)',
    counts: 'those of a network and page; a fifth is kept for rare click ids and browsers',
    way: 'visitors of that network: no lead reference. A later click; the settings',
    test: 'apps/landing/test/lead-flood.test.ts',
  },
  {
    limit: '30 views of `/data`, then one in 2 s',
    counts: 'those of a network; a browser with the cookie of a lead has its own',
    way: 'visitors behind the same address: a later try, or their browser',
    test: 'apps/landing/test/visitor-page.test.ts',
  },
  {
    limit: '200 campaigns',
    counts: 'of a page and day, each with its source, medium, term and content',
    way: 'the advertiser: later leads count without term and content, beyond 400 as `(other)`',
    test: 'packages/core/src/metrics/campaigns-per-day.test.ts',
  },
  {
    limit: '20 new campaigns, then 5 per minute',
    counts: 'those that a wide network alone brings to a page',
    way: 'leads of its next ones count as `(other)`',
    test: 'apps/landing/test/lead-flood.test.ts',
  },
  {
    limit: '20 withdrawals of consent without the cookie of the lead, then one an hour',
    counts: 'those of a wide network and account',
    way: 'its visitors: 429. The browser that left the lead',
    test: 'apps/landing/test/visitor-choices.test.ts',
  },
  {
    limit: '30 erasures with the cookie of the lead, then one in 2 s',
    counts: 'those of a wide network',
    way: 'its visitors: 429. A later try',
    test: 'apps/landing/test/visitor-choices.test.ts',
  },
  {
    limit: `${openErasuresPerNetwork} open erasures`,
    counts: `of a wide network and account; without the cookie also while the account decides (${askedErasureDays} days)`,
    way: 'its visitors: 429. Another network, or the advertiser',
    test: 'packages/core/src/erasure/turns.test.ts',
  },
  {
    limit: `${visitorErasuresPerHour} erasures of visitors an hour, ${networkErasuresPerHour} of a wide network`,
    counts: 'of an account; networks take turns',
    way: 'visitors of that account wait; what the account asks for comes first',
    test: 'packages/core/src/erasure/turns.test.ts',
  },
  {
    limit: '512 MB of leads on disk, 1 GiB in RabbitMQ',
    counts: 'leads while PostgreSQL takes none; an account may take four times what is free',
    way: 'visitors of an account that is flooded. End the outage',
    test: 'apps/landing/test/outage.test.ts',
  },
  {
    limit: 'webhooks: 20 new ones a minute, one verification in 10 s and 30 in all, one open test',
    counts: 'those of an account, or of a webhook',
    way: 'the partner waits, or resumes the webhook',
    test: 'apps/api/test/webhooks.test.ts',
  },
  {
    limit: 'webhooks: 50 verifications, 4 requests of a webhook, 8 of an account at a time',
    counts: 'those of a worker, 10 s each',
    way: "the partner's own deliveries: a faster receiver, more workers",
    test: 'apps/feedback-worker/test/webhooks.test.ts',
  },
  {
    limit: `webhooks: public addresses, ports ${defaultPorts.join(' and ')} (\`WEBHOOKS_PORTS\`)`,
    counts: 'where each attempt connects',
    way: 'nobody else',
    test: 'packages/platforms/test/webhook.test.ts',
  },
  {
    limit: '20 wrong attempts to sign in, then one in 10 s',
    counts: 'of an email in new browsers; of a network',
    way: 'who mistypes: 429. What is right, a known browser, a passkey or the provider passes',
    test: 'apps/console/test/sign-in.test.ts',
  },
  {
    limit: 'five wrong codes with the right password',
    counts: 'of a person, also at the first sign-in with an identity provider',
    way: 'the person, for 15 minutes; a passkey still works',
    test: 'apps/console/test/sign-in.test.ts',
  },
  {
    limit: '50 passwords that wait to be checked',
    counts: 'known browsers first, then networks with few wrong attempts',
    way: 'who signs in with a new browser during a flood: 429',
    test: 'apps/console/src/sessions/password-queue.test.ts',
  },
  {
    limit: '200 changes, then 20 per second',
    counts: 'of a network, signed out; of a known browser; of a person',
    way: 'new browsers behind the same address. Reading is free',
    test: 'apps/console/test/sign-in.test.ts',
  },
];

export const limitsPage = (): string =>
  pageOf(
    'Limits',
    'For partners, operators and platform teams: how much one request may have, and what strangers can use up; each has a test in `scripts/reference/limits.ts`. Numbers are per instance, unless a row says otherwise.',
    `## Requests and records\n\n${table(['what', 'at most'], requests)}`,
    `## What strangers can use up\n\nA *network* is an IPv4 address or the first 64 bits of an IPv6 address; a *wide network* is a /24 or a /48. Invented names refill nobody's share.\n\n${table(
      ['limit', 'counts', 'whom it can hit, and the way past it'],
      strangerLimits.map(({ limit, counts, way }) => [limit, counts, way]),
    )}`,
  );
