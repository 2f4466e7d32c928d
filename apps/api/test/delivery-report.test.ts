import { Delivery } from '@leadback/db';
import { givenApiKey, givenConnection, givenManyDeliveries, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi, givenPartner } from './given-api.ts';

const reportSchema = z.array(z.looseObject({ connection: z.looseObject({ id: z.number() }) }));

const counted = (conversions: number, amount: number) => ({ conversions, amounts: { USD: amount } });

describe('GET /report/deliveries', async () => {
  const api = await shared(givenApi());

  const given = async () => {
    const { account, connections, get: send } = await givenPartner(api, { platforms: ['google'] });
    const [google] = connections;
    if (!google) throw new Error('the connection is missing');
    const get = (query: Record<string, string> = {}, sending?: { key: string }) =>
      send(`/report/deliveries?${new URLSearchParams(query).toString()}`, sending);
    const report = async (query?: Record<string, string>, sending?: { key: string }) =>
      reportSchema.parse((await get(query, sending)).body);
    return { account, google, get, report };
  };

  it('answers "42 sent, 7 shown" for each connection and day, with reasons and what to do', async () => {
    const { account, google, report } = await given();
    const occurredAt = new Date('2026-11-10T23:59:00Z');
    const end = async (rows: number, ended: Partial<Pick<Delivery, 'state' | 'reason' | 'isConfirmed'>>) => {
      const ids = await givenManyDeliveries(api.database, { connection: google, rows, occurredAt, amount: '9.9' });
      await api.database.pool.query(`delete from delivery_due where delivery_ids && $1`, [ids]);
      await api.database.em().nativeUpdate(Delivery, { id: { $in: ids } }, { ...ended, parcelId: null });
    };
    await end(2, { state: 'skipped', reason: 'no_match_keys' });
    await end(35, { state: 'failed', reason: 'CLICK_NOT_FOUND', isConfirmed: false });
    await end(7, { state: 'delivered', isConfirmed: true });
    const days = { from: '2026-11-01', to: '2026-11-30' };
    expect(await report(days)).toEqual([
      {
        connection: { id: google.id, label: google.destination, state: 'active', deleted: false },
        platform: 'google',
        timeZone: 'UTC',
        partial: false,
        total: expect.objectContaining({ processed: counted(7, 69.3) }),
        days: [
          {
            day: '2026-11-10',
            registered: counted(44, 435.6),
            eligible: counted(42, 415.8),
            sent: counted(42, 415.8),
            accepted: counted(42, 415.8),
            processed: counted(7, 69.3),
            losses: [
              {
                step: 'eligible',
                reason: 'no_match_keys',
                ...counted(2, 19.8),
                meaning: expect.stringContaining('cannot match'),
                action: expect.stringContaining('email'),
              },
              {
                step: 'processed',
                reason: 'CLICK_NOT_FOUND',
                ...counted(35, 346.5),
                meaning: expect.stringContaining('no such click'),
                action: expect.stringContaining('customer id'),
              },
            ],
          },
        ],
      },
    ]);
    const meta = await givenConnection(api.database.em(), { account });
    expect(await report({ ...days, connection: String(meta.id) })).toMatchObject([
      {
        connection: { id: meta.id },
        total: { registered: { conversions: 0, amounts: {} }, processed: null },
        days: [],
      },
    ]);
    expect(await report({ ...days, to: '2026-11-09' })).toMatchObject([{ days: [] }, { days: [] }]);
    const test = { key: await givenApiKey(api.database.em(), { account, isTest: true }) };
    expect(await report(days, test)).toEqual([]);
  });

  it.each([
    [{ from: '2026-11-02', to: '2026-11-01' }, 'from: is after to'],
    [{ from: '2026-07-01', to: '2026-10-02' }, 'from: expected at most 92 days up to to'],
    [{ connection: 'google' }, 'connection: expected a positive whole number'],
  ])('refuses %j', async (query, message) => {
    const { get } = await given();
    expect(await get(query)).toMatchObject({ status: 400, body: { message } });
  });

  it('covers the last 30 days if nothing is asked for', async () => {
    const { google, report } = await given();
    const dayMs = 86_400_000;
    for (const days of [0, 29, 30]) {
      const occurredAt = new Date(Date.now() - days * dayMs);
      await givenManyDeliveries(api.database, { connection: google, rows: 1, occurredAt });
    }
    expect(await report()).toMatchObject([{ total: { registered: { conversions: 2 } } }]);
  });
});
