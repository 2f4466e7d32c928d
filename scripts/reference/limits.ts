import { askedErasureDays, erasuresPerKeyAndDay, importBytesMax } from '@leadback/domain';
import { fileLimits } from '../../packages/core/src/imports/store.ts';
import { openErasuresPerNetwork } from '../../packages/core/src/erasure/ask/ask-erasure.ts';
import { networkErasuresPerHour, visitorErasuresPerHour } from '../../packages/core/src/erasure/perform-erasure.ts';
import { defaultPorts } from '../../packages/platforms/src/webhook-address.ts';
import { listItemsMax } from '../../packages/server/src/http/bodies.ts';
import { list, pageOf, table } from './table.ts';

const number = (value: number) => value.toLocaleString('en-US');

/** What a request may have, and what happens beyond it. */
const requests: readonly (readonly [what: string, most: string])[] = [
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
  ['own domains of an account', '100'],
];

/** A limit that somebody without any right can use up: who is hit, and what proves it. */
interface StrangerLimit {
  readonly limit: string;
  /** Whom it can hit, and how they get past it. */
  readonly way: string;
  readonly test: string;
}

export const strangerLimits: readonly StrangerLimit[] = [
  {
    limit: '10,000 connections; from 8,000 on, unused ones are closed',
    way: 'nobody, while others can be closed',
    test: 'packages/server/test/http/connections.test.ts',
  },
  {
    limit: '1,000 connections of a network, 4,000 of a wide one, if `TRUST_PROXY` is 0',
    way: 'older ones of the network',
    test: 'packages/server/test/http/connections.test.ts',
  },
  {
    limit: '500 connections of an API key or person',
    way: 'the caller: reuse connections',
    test: 'packages/server/test/http/connections.test.ts',
  },
  {
    limit: '2,000 requests that wait; strangers have a quarter',
    way: 'who has most: 503',
    test: 'packages/server/test/http/take-turns.test.ts',
  },
  {
    limit: '1 MiB of a refused body after its response (a file: 50 MiB)',
    way: 'the caller',
    test: 'packages/server/test/http/bodies.test.ts',
  },
  {
    limit: '100 invalid API keys of a network, then 10 per second',
    way: 'nobody with a valid key',
    test: 'apps/api/test/api-keys.test.ts',
  },
  {
    limit: '200 requests of a key per second, a burst of 400 (`--rate-limit`)',
    way: 'the partner: 429',
    test: 'apps/api/test/api-keys.test.ts',
  },
  {
    limit: '2 GiB of kept files of an account and mode',
    way: 'the partner: 400',
    test: 'apps/api/test/imports.test.ts',
  },
  {
    limit: `${number(erasuresPerKeyAndDay)} erasures of a key a day`,
    way: 'the partner: 429. Another key',
    test: 'apps/api/test/api-keys.test.ts',
  },
  {
    limit: '500 leads of a network and page, then 50 per second (`LEAD_BURST`, `LEAD_RATE`)',
    way: 'its visitors: no lead reference',
    test: 'apps/landing/test/lead-flood.test.ts',
  },
  {
    limit: '30 views of `/data` of a network without cookie, then one in 2 s',
    way: 'its visitors. A later try',
    test: 'apps/landing/test/visitor-page.test.ts',
  },
  {
    limit: '200 campaigns of a page and day',
    way: 'the advertiser: later ones count without term and content, then as `(other)`',
    test: 'packages/core/src/metrics/campaigns-per-day.test.ts',
  },
  {
    limit: '20 new campaigns of a page by one wide network, then 5 per minute',
    way: 'the next ones count as `(other)`',
    test: 'apps/landing/test/lead-flood.test.ts',
  },
  {
    limit: '20 withdrawals of consent of a wide network and account, then one an hour',
    way: 'its visitors: 429. The browser of the lead',
    test: 'apps/landing/test/visitor-choices.test.ts',
  },
  {
    limit: '30 erasures with cookie of a wide network, then one in 2 s',
    way: 'its visitors: 429. A later try',
    test: 'apps/landing/test/visitor-choices.test.ts',
  },
  {
    limit: `${openErasuresPerNetwork} open erasures of a wide network and account; without cookie, open for ${askedErasureDays} days`,
    way: 'its visitors: 429. The advertiser',
    test: 'packages/core/src/erasure/turns.test.ts',
  },
  {
    limit: `${visitorErasuresPerHour} erasures of visitors of an account an hour, ${networkErasuresPerHour} of a wide network`,
    way: 'its visitors wait',
    test: 'packages/core/src/erasure/turns.test.ts',
  },
  {
    limit: '512 MB of leads on disk, 1 GiB in RabbitMQ, while PostgreSQL takes none',
    way: 'visitors of accounts that use most',
    test: 'apps/landing/test/outage.test.ts',
  },
  {
    limit: '20 new webhooks a minute, one verification in 10 s, 30 in all',
    way: 'the partner waits',
    test: 'apps/api/test/webhooks.test.ts',
  },
  {
    limit: 'in a worker, 4 requests of a webhook, 8 of an account',
    way: 'the partner: a faster receiver',
    test: 'apps/feedback-worker/test/webhooks.test.ts',
  },
  {
    limit: `public addresses for webhooks, ports ${defaultPorts.join(' and ')} (\`WEBHOOKS_PORTS\`)`,
    way: 'nobody else',
    test: 'packages/platforms/test/webhook.test.ts',
  },
  {
    limit: '20 wrong attempts to sign in, of an email or network, then one in 10 s',
    way: 'who mistypes: 429. A known browser, a passkey',
    test: 'apps/console/test/sign-in.test.ts',
  },
  {
    limit: 'five wrong codes of a person with the right password',
    way: 'the person, for 15 minutes. A passkey',
    test: 'apps/console/test/sign-in.test.ts',
  },
  {
    limit: '50 passwords that wait to be checked; known browsers first',
    way: 'new browsers during a flood: 429',
    test: 'apps/console/src/sessions/password-queue.test.ts',
  },
  {
    limit: '200 changes in the console, then 20 per second',
    way: 'new browsers of that network',
    test: 'apps/console/test/sign-in.test.ts',
  },
];

export const limitsPage = (): string =>
  pageOf(
    'Limits',
    'For partners, operators and platform teams: limits of each instance. `scripts/reference/limits.ts` names their tests.',
    `## Requests and records\n\n${list(requests)}`,
    `## What strangers can use up\n\nA *network* is an IPv4 address or an IPv6 /64; a *wide network* is a /24 or a /48.\n\n${table(
      ['limit', 'whom it can hit, and the way past it'],
      strangerLimits.map(({ limit, way }) => [limit, way]),
    )}`,
  );
