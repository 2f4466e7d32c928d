import { Lead } from '@leadback/db';
import { eventually, givenLandingPage, type TcpProxy, tcpProxy } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clicks, clicksOn, userAgent } from '../../support/clicks.ts';
import { violationsAfter } from '../../support/facts.ts';
import { areDelivered } from '../../support/deliveries.ts';
import type { Partner } from '../../support/given-partner.ts';
import { givenStack, type TestStack } from '../../support/given-stack.ts';
import { givenLedger, type Ledger } from '../../support/ledger.ts';
import { sumIn } from '../../support/metrics.ts';
import { wrongClock } from '../../support/wrong-clock.ts';

const hourMs = 3_600_000;
// landing's clock is exact to the time of its last request to PostgreSQL, which a busy machine makes longer
const requestMs = 60_000;

const outside = (times: readonly number[], from: number, to: number): readonly number[] =>
  times.filter((time) => !(time >= from && time <= to));

describe.each([
  ['an hour ahead', hourMs],
  ['an hour behind', -hourMs],
] as const)('with clocks %s', (_how, aheadMs) => {
  let stack: TestStack;
  let ledger: Ledger;
  let partner: Partner;
  let toDatabase: TcpProxy; // of landing alone
  let slug: string;
  let clicks: Clicks;
  beforeAll(async () => {
    stack = await givenStack();
    ledger = await givenLedger(stack);
    partner = await ledger.join();
    const page = await givenLandingPage(stack.database.em(), { account: partner.account, mode: 'direct' });
    slug = page.slug;
    clicks = clicksOn(page, stack);
    toDatabase = await tcpProxy(stack.database.url);
    const imports = [wrongClock(aheadMs)];
    await stack.start('api', { imports });
    await stack.start('landing', { imports, databaseUrl: toDatabase.url });
    await stack.start('feedback-worker');
  });
  afterAll(async () => {
    await toDatabase[Symbol.asyncDispose]();
    await stack[Symbol.asyncDispose]();
  });

  /** The time of PostgreSQL's clock. */
  const now = async (): Promise<number> => {
    const clock = 'select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms';
    const { rows } = await stack.database.pool.query<{ ms: number }>(clock);
    return rows[0]?.ms ?? Number.NaN;
  };
  const leadOf = async (reference: string): Promise<Lead> => {
    // a lead may be buffered: for a while after an outage, or on a busy machine
    await eventually(async () => expect(await stack.database.em().count(Lead, { reference })).toBe(1));
    return stack.database.em().findOneOrFail(Lead, { reference });
  };
  /** Visits until PostgreSQL records the lead before the visitor is redirected. */
  const visitRecorded = async (): Promise<{ reference: string; from: number }> => {
    const place = { mode: 'direct', lead: 'recorded' };
    const countRecorded = async () => sumIn(await stack.metricsOf('landing'), 'leadback_visits_total', place);
    for (;;) {
      const [from, recorded] = [await now(), await countRecorded()];
      const { reference } = await clicks.click('recorded-1');
      if ((await countRecorded()) > recorded) return { reference, from };
    }
  };

  const visit = (query: string, cookie = '') =>
    fetch(`${stack.landingUrl}/${slug}?${query}`, {
      redirect: 'manual',
      headers: { 'user-agent': userAgent, cookie },
    });

  it.each(['api', 'landing'] as const)('%s has that clock', async (name) => {
    const logged = Date.parse((await stack.logOf(name)).match(/(?<="time":")[^"]+/g)?.at(-1) ?? '');
    expect(Math.round((logged - Date.now()) / hourMs)).toBe(aheadMs / hourMs);
  });

  it('api accepts conversions of now, and platforms get their times by the clock of PostgreSQL, once', async () => {
    const before = await now();
    const entries = [...(await ledger.register(10)), ...(await ledger.register(10, undefined, new Date()))];
    expect(entries.flatMap(({ statuses }) => statuses)).toEqual(Array<number>(20).fill(201));
    await areDelivered(stack.database, entries);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
    const times = (await stack.sandbox.events()).map(({ event: { event_time, eventTimestamp } }) =>
      typeof event_time === 'number' ? event_time * 1_000 : Date.parse(String(eventTimestamp)),
    );
    expect(times).toHaveLength(40);
    // Meta gets whole seconds
    expect(outside(times, Math.floor(before / 1_000) * 1_000, await now())).toEqual([]);
  });

  it('landing records leads by the clock of PostgreSQL, and api registers clients for them', async () => {
    const { reference, from } = await visitRecorded();
    const lead = await leadOf(reference);
    expect(outside([lead.createdAt.getTime()], from, await now())).toEqual([]);
    expect((await partner.post('/client', { leadReference: reference })).status).toBe(201);
  });

  it('landing records a buffered lead by the clock of PostgreSQL, which it cannot reach', async () => {
    const before = await now();
    toDatabase.cut();
    const click = await clicks.click('buffered-1');
    await toDatabase.heal();
    await clicks.haveLeads([click]);
    const lead = await leadOf(click.reference);
    expect(outside([lead.createdAt.getTime()], before - requestMs, await now())).toEqual([]);
  });

  it('landing records the time of an earlier click by the clock of PostgreSQL', async () => {
    const before = await now();
    const first = await visit('fbclid=F1');
    const cookies = first.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    const next = await visit('gclid=returned-1', cookies.join('; '));
    const reference = new URL(next.headers.get('location') ?? '').searchParams.get('serviceId') ?? '';
    const { clickTimes, clickParameters } = await leadOf(reference);
    expect(clickParameters).toMatchObject({ fbclid: 'F1', gclid: 'returned-1' });
    expect(outside([Date.parse(clickTimes?.fbclid ?? '')], before - requestMs, (await now()) + requestMs)).toEqual([]);
  });
});
