import { bufferedLeadRecorder, leadRecorder } from '@leadback/core/leads/record';
import { Lead } from '@leadback/db';
import type { BufferedLead } from '@leadback/domain/keys';
import { createLogger, createMetrics } from '@leadback/server/app';
import {
  type TestDatabase,
  bufferedLead,
  eventually,
  givenContacts,
  givenDatabase,
  givenLandingPage,
  shared,
} from '@leadback/testing';
import { describe, expect, it, vi } from 'vitest';
import { landingEvents } from '../src/events.ts';
import { storeLead } from '../src/leads/lead-store.ts';
import { givenLanding, referenceIn } from './given-landing.ts';

const target = 'https://shop.example/offer';
const leadBurst = 5;
const from = (address: string) => ({ 'x-forwarded-for': address });

describe('many leads of one network on one page', async () => {
  // one more in three hours
  const landing = await shared(givenLanding({ leadBurst, leadRate: 0.0001 }));

  const givenPage = (mode: 'page' | 'direct') => landing.givenPage({ mode });
  const limited = async (mode: string) =>
    Number(new RegExp(`mode="${mode}",lead="none_limited".*\\} (\\d+)`).exec(await landing.metrics())?.[1]);

  const leavesLead = async ({ slug }: { slug: string }, address: string) =>
    referenceIn((await landing.visit(`/${slug}`, { headers: from(address) })).location) !== '';

  it('redirects all visitors, and stores and counts only as many leads as the limit allows', async () => {
    const page = await givenPage('direct');
    const before = await limited('direct');
    const replies = await Promise.all(
      Array.from({ length: leadBurst + 3 }, (_, index) =>
        landing.visit(`/${page.slug}?utm_campaign=invented-${index}`, { headers: from('203.0.113.7') }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([302]));
    const without = replies.filter(({ location }) => referenceIn(location) === '');
    expect(without).toHaveLength(3);
    expect(without.flatMap(({ headers }) => headers['set-cookie'] ?? [])).toEqual([]);
    expect(await landing.leadsOf(page)).toBe(leadBurst);
    expect((await limited('direct')) - before).toBe(3);
  });

  it('limits forms that are sent like visits of a direct page', async () => {
    const page = await givenPage('page');
    const before = await limited('page');
    const locations: (string | undefined)[] = [];
    for (let count = 0; count <= leadBurst; count += 1) {
      const { status, location } = await landing.submit(`/${page.slug}`, {}, from('203.0.113.8'));
      expect(status).toBe(303);
      locations.push(location);
    }
    expect(locations.filter((location) => location === target)).toEqual([locations.at(-1)]);
    expect(await landing.leadsOf(page)).toBe(leadBurst);
    expect((await limited('page')) - before).toBe(1);
  });

  it.each([
    ['of an IPv4 address', '203.0.113.9', '203.0.113.9', '203.0.113.10'],
    ['of the first 64 bits of an IPv6 address', '2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '2001:db8:0:2::1'],
  ])('counts the leads %s, and those of each page, by themselves', async (_, first, same, other) => {
    const [page, otherPage] = [await givenPage('direct'), await givenPage('direct')];
    for (let count = 0; count < leadBurst; count += 1) expect(await leavesLead(page, first)).toBe(true);
    expect(await leavesLead(page, same)).toBe(false);
    expect(await leavesLead(page, other)).toBe(true);
    expect(await leavesLead(otherPage, same)).toBe(true);
  });

  it('lets visitors choose no network for themselves: only what the trusted proxy appended counts', async () => {
    const page = await givenPage('direct');
    const locations: (string | undefined)[] = [];
    for (let count = 0; count <= leadBurst; count += 1) {
      const headers = from(`198.51.100.${count}, 203.0.113.11`);
      locations.push((await landing.visit(`/${page.slug}`, { headers })).location);
    }
    expect(locations.at(-1)).toBe(target);
  });
});

it('keeps references for the other people of a network in which a script repeats itself', async () => {
  const burst = 50;
  await using landing = await givenLanding({ leadBurst: burst, leadRate: 0.0001 });
  const page = await landing.givenPage({ mode: 'direct' });
  const visit = async (query: string, headers: Record<string, string> = {}) => {
    const { location } = await landing.visit(`/${page.slug}${query}`, {
      headers: { ...from('203.0.113.12'), ...headers },
    });
    return referenceIn(location) !== '';
  };
  const flood = async () => {
    const visits = await Promise.all(Array.from({ length: 2 * burst }, () => visit('?gclid=repeated')));
    return visits.filter((isLead) => isLead).length;
  };
  // four fifths, and its share of the last
  expect(await flood()).toBe(41);
  // the click ids of three people, and two browsers that came without one
  for (const clickId of ['one', 'two', 'three']) expect(await visit(`?gclid=${clickId}`)).toBe(true);
  for (const language of ['es-AR', 'pt-BR']) expect(await visit('', { 'accept-language': language })).toBe(true);
  expect(await flood()).toBe(0);
  expect(await landing.leadsOf(page)).toBe(46);
});

it('counts no more than twenty new campaigns of a network, so that it cannot hide those that others bring', async () => {
  await using landing = await givenLanding();
  const page = await landing.givenPage({ mode: 'direct' });
  const visit = async (campaign: string, address: string) => {
    const { location } = await landing.visit(`/${page.slug}?utm_campaign=${campaign}`, { headers: from(address) });
    expect(referenceIn(location)).not.toBe('');
  };
  // of one /24
  for (let count = 0; count < 300; count += 1) await visit(`invented-${count}`, `203.0.113.${count % 200}`);
  for (const campaign of ['brand', 'invented-0']) await visit(campaign, '198.51.100.7');
  const { rows } = await landing.database.pool.query<{ campaign: string; value: number }>(
    'select campaign, sum(change)::float as value from metric_increment where landing_page_id = $1 group by campaign',
    [page.id],
  );
  const leads = new Map(rows.map(({ campaign, value }) => [campaign, value]));
  expect([leads.get('brand'), leads.get('invented-0')]).toEqual([1, 2]);
  // and five a minute
  expect(leads.size).toBeLessThan(100);
  expect(leads.get('(other)')).toBe(
    302 - rows.reduce((sum, { campaign, value }) => sum + (campaign === '(other)' ? 0 : value), 0),
  );
});

// in core/once.ts
const waitingMax = 1_000;
const beyond = 60;

/** A pool whose statements start once it is open. */
const gated = <Pool extends { readonly query: (config: never) => unknown }>(pool: Pool) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const query = async (config: never): Promise<unknown> => {
    await promise;
    return pool.query(config);
  };
  return {
    pool: new Proxy(pool, { get: (of, key) => (key === 'query' ? query : Reflect.get(of, key, of)) }),
    open: resolve,
  };
};

const givenLeads = async (database: TestDatabase): Promise<BufferedLead[]> => {
  const page = await givenLandingPage(database.em());
  const given = { accountId: page.account.id, landingPageId: page.id };
  return Array.from({ length: waitingMax + beyond }, () => bufferedLead(given));
};

it('buffers leads beyond those that PostgreSQL records in time at once, takes it for available, and loses none', async () => {
  await using database = await givenDatabase();
  const leads = await givenLeads(database);
  const [atBroker, onDisk, failures]: [BufferedLead[], BufferedLead[], unknown[]] = [[], [], []];
  const log = createLogger('landing', 'silent');
  const warn = vi.spyOn(log, 'warn');
  const { pool, open } = gated(database.pool);
  const store = storeLead({
    watch: { isUp: () => true, lost: (reason) => failures.push(reason) },
    record: leadRecorder(pool, givenContacts()),
    // it has room for half of those beyond
    leadQueue: { enqueue: async (lead) => atBroker.length < beyond / 2 && atBroker.push(lead) > 0 },
    spool: { add: async (lead) => onDisk.push(lead) > 0 || true },
    nowMs: Date.now,
    onFailure: landingEvents(log, createMetrics('landing')).leadRefused,
  });

  const places = leads.map(store);
  const ofThoseBeyond = await Promise.all(places.slice(waitingMax));
  expect(ofThoseBeyond.filter((place) => place === 'at_broker')).toHaveLength(beyond / 2);
  expect(ofThoseBeyond.filter((place) => place === 'on_disk')).toHaveLength(beyond / 2);
  expect(warn.mock.calls).toEqual([[expect.stringMatching(/^more leads arrive than PostgreSQL records in time/)]]);

  open();
  expect(await Promise.all(places)).not.toContain('lost');
  // each that waits is recorded, also if it takes too long for its visitor
  const first = leads.slice(0, waitingMax).map(({ reference }) => reference);
  await eventually(async () => expect(await database.em().count(Lead, { reference: first })).toBe(waitingMax));
  const elsewhere = [...atBroker, ...onDisk].map(({ reference }) => reference);
  expect(elsewhere).toEqual(expect.arrayContaining(leads.slice(waitingMax).map(({ reference }) => reference)));
  // a busy machine may take more than the second that visitors wait
  expect(failures.filter((failure) => !/did not record the lead within/.test(String(failure)))).toEqual([]);
});

it('records all buffered leads that a replay reads at a time, however many', async () => {
  await using database = await givenDatabase();
  const leads = await givenLeads(database);
  const record = bufferedLeadRecorder(database.pool, givenContacts());
  expect(new Set(await Promise.all(leads.map(record)))).toEqual(new Set([true]));
  expect(await database.em().count(Lead, {})).toBe(waitingMax + beyond);
});
