import { Lead } from '@leadback/db';
import { bufferedLeadRecorder, leadRecorder } from '@leadback/core/leads/record';
import { createLogger, createMetrics } from '@leadback/server/app';
import type { BufferedLead } from '@leadback/domain/keys';
import {
  bufferedLead,
  eventually,
  givenContacts,
  givenDatabase,
  givenLandingPage,
  type TestDatabase,
} from '@leadback/testing';
import { expect, it, vi } from 'vitest';
import { landingEvents } from '../src/events.ts';
import { storeLead } from '../src/leads/lead-store.ts';

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
    pool: new Proxy(pool, { get: (target, key) => (key === 'query' ? query : Reflect.get(target, key, target)) }),
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
