import type { Account } from '@leadback/db';
import { matchKeySet } from '@leadback/domain';
import { givenAccount, givenConnection, shared } from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { funnelsReply, qualityReply } from '../src/contract/results.ts';
import { givenConsole } from './given-console.ts';

interface Count {
  readonly account: Account;
  readonly day?: string;
  readonly platform?: string;
  readonly state?: string;
  readonly reason?: string;
  /** -1: not known. */
  readonly keys: number;
  readonly deliveries: number;
}

describe('quality in the console', async () => {
  const console = await shared(givenConsole());
  const person = await console.person();

  let account: Account;
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
  });

  const given = (counts: readonly Count[]) =>
    Promise.all(
      counts.map((count) => {
        const { day = '2026-11-10', platform = 'google', state = 'delivered', reason = '', keys, deliveries } = count;
        return console.database.pool.query(
          `insert into quality_day (account_id, day, connection_id, platform, state, reason, verdict, match_keys, currency,
                                    deliveries, amount)
           values ($1, $2, 1, $3, $4, $5, '', $6, 'USD', $7, 0)`,
          [count.account.id, day, platform, state, reason, keys, deliveries],
        );
      }),
    );
  const read = (query = 'from=2026-11-01&to=2026-11-30') => person.get(`/api/accounts/${account.id}/quality?${query}`);
  const platforms = async () => qualityReply.parse((await read()).body).platforms;

  it('shows for each platform by what it could match, what would help, and why conversions were not delivered', async () => {
    const withEmail = matchKeySet({ gclid: true, email: true });
    await given([
      { account, keys: withEmail, deliveries: 6 },
      { account, keys: matchKeySet({ gclid: true }), deliveries: 2 },
      { account, state: 'skipped', reason: 'no_match_keys', keys: -1, deliveries: 2 },
      { account, state: 'failed', reason: 'INVALID_CURRENCY_CODE', keys: -1, deliveries: 1 },
      { account, platform: 'meta', keys: matchKeySet({ email: true }), deliveries: 1 },
      // other days, another account
      { account, day: '2026-10-31', keys: withEmail, deliveries: 100 },
      { account: await givenAccount(console.database.em()), keys: withEmail, deliveries: 100 },
    ]);
    const [meta, google, ...others] = await platforms();
    expect([meta?.platform, others]).toEqual(['meta', []]);
    expect(google).toEqual({
      platform: 'google',
      conversions: 11,
      delivered: 8,
      skipped: [{ code: 'no_match_keys', deliveries: 2 }],
      failed: [{ code: 'INVALID_CURRENCY_CODE', deliveries: 1 }],
      keys: [
        { key: 'gclid', share: 0.8 },
        { key: 'gbraid', share: 0 },
        { key: 'wbraid', share: 0 },
        { key: 'email', share: 0.6 },
        { key: 'phone', share: 0 },
      ],
      advice: [
        { name: 'phone', affects: 1 },
        { name: 'email', affects: 0.4 },
        { name: 'click', affects: 0.2 },
      ],
    });
  });

  it('names no shares if it is not known by what conversions could be matched', async () => {
    await given([{ account, keys: -1, deliveries: 3 }]);
    expect(await platforms()).toMatchObject([{ conversions: 3, keys: [], advice: [] }]);
  });

  it.each(['', 'from=2026-11-02&to=2026-11-01', 'from=2025-01-01&to=2026-11-01', 'from=yesterday&to=today'])(
    'refuses the days of %j',
    async (query) => {
      expect((await read(query)).status).toBe(400);
    },
  );
});

const counted = (conversions: number, amount: string) => ({ conversions, money: [{ currency: 'ARS', amount }] });

describe('how far conversions came, in the console', async () => {
  const console = await shared(givenConsole());
  const person = await console.person();

  it('shows each step of each connection and day, why conversions came no further, and what helps', async () => {
    const { pool } = console.database;
    const em = console.database.em();
    const account = await givenAccount(em);
    const { id } = await givenConnection(em, { account, platform: 'google' });
    const { id: meta } = await givenConnection(em, { account });
    const given = (day: string, state: string, reason: string, verdict: string, deliveries: number) =>
      pool.query(
        `insert into quality_day (account_id, day, connection_id, platform, state, reason, verdict, match_keys, currency,
                                  deliveries, amount)
         values ($1, $2, $3, 'google', $4, $5, $6, -1, 'ARS', $7::bigint, $7::bigint * 100)`,
        [account.id, day, id, state, reason, verdict, deliveries],
      );
    await given('2026-11-10', 'failed', 'CLICK_NOT_FOUND', 'unused', 35);
    await given('2026-11-10', 'delivered', '', 'used', 7);
    await given('2026-08-01', 'delivered', '', 'used', 7);
    const path = `/api/accounts/${account.id}/funnels`;
    const reply = funnelsReply.parse((await person.get(`${path}?from=2026-08-01&to=2026-11-10`)).body);
    const lost = { step: 'processed', reason: 'CLICK_NOT_FOUND', ...counted(35, '3500.00') };
    const steps = { sent: counted(42, '4200.00'), accepted: counted(42, '4200.00'), processed: counted(7, '700.00') };
    // no more than 92 days
    expect(reply).toMatchObject({
      from: '2026-08-11',
      connections: [
        {
          connectionId: id,
          platform: 'google',
          total: { ...steps, losses: [lost] },
          days: [{ day: '2026-11-10', ...steps, losses: [lost] }],
        },
        { connectionId: meta, platform: 'meta', total: { processed: null }, days: [] },
      ],
    });
    expect((await person.get(`${path}?from=2026-11-02&to=2026-11-01`)).status).toBe(400);
  });
});
