import { type Account, Client, Lead } from '@leadback/db';
import { parcelClaimer } from '@leadback/core/delivery/claim';
import { readConnection } from '@leadback/core/delivery/connections';
import { openConnection } from '@leadback/core/connections/open';
import { platformNames } from '@leadback/domain';
import {
  givenContacts,
  everyRow,
  givenAccount,
  givenClient,
  givenConnection,
  givenConversion,
  givenDelivery,
  secretsKeys,
  unique,
  shared,
} from '@leadback/testing';
import { platformRegistry } from '@leadback/platforms';
import { describe, expect, it } from 'vitest';
import { givenOperator } from './given-operator.ts';

const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: 'http://127.0.0.1:9' });
const toEach = (expected: unknown) => platformNames.map(() => expected);

describe('client erase', async () => {
  const operator = await shared(givenOperator());

  /** A client registered only by reference, whose visitor entered the rest on the landing page, with consent. */
  const givenPerson = async (canary: string, isTest: boolean, account: Account) => {
    const em = operator.database.em();
    const conversion = await givenConversion(em, {
      account,
      isTest,
      client: {
        isTest,
        externalReference: canary,
        lead: {
          consent: true,
          name: canary,
          email: `${canary}@example.com`,
          phone: '+1 650 253 0000',
          clickParameters: { gclid: canary, fbclid: canary, ttclid: canary, _ttp: canary, li_fat_id: canary },
          clickTimes: { gclid: '2026-11-20T12:00:00.000Z' },
          ipAddress: '203.0.113.7',
          userAgent: canary,
        },
      },
    });
    const deliveries: number[] = [];
    for (const platform of platformNames) {
      const connection = await givenConnection(em, { account, platform });
      deliveries.push((await givenDelivery(em, { connection, conversion })).id);
    }
    return { deliveries, client: await conversion.client.loadOrFail() };
  };

  /** What a worker would send now. */
  const prepared = async (deliveries: readonly number[]) => {
    const { pool } = operator.database;
    const { rows } = await pool.query<{ id: string }>(
      `update delivery_due set not_before = now() where delivery_ids && $1 returning id`,
      [deliveries],
    );
    const parcels = await Promise.all(rows.map(({ id }) => Number(id)).map(parcelClaimer(pool, givenContacts())));
    const sent = parcels.map(async (parcel) => {
      if (parcel === null) return [];
      const connection = await readConnection(pool, parcel.connection);
      const access = openConnection({ platforms, secretsKeys }, connection, 'live');
      return parcel.deliveries.map(({ event }) => access.prepare(event, parcel.claimedAtMs));
    });
    return (await Promise.all(sent)).flat();
  };
  const rowsWith = async (text: string) =>
    [...(await everyRow(operator.database)).values()].flat().filter((row) => row.toLowerCase().includes(text));

  it.each([
    ['live', 'reference'],
    ['live', 'email'],
    ['test', 'reference'],
    ['test', 'email'],
  ] as const)(
    'erases a %s client and its lead by %s, so that pending deliveries are skipped for lack of match keys',
    async (mode, by) => {
      const canary = unique('canary');
      const account = await givenAccount(operator.database.em());
      const { deliveries, client } = await givenPerson(canary, mode === 'test', account);
      expect(await prepared(deliveries)).toEqual(toEach(expect.objectContaining({ kind: 'event' })));

      const whom = by === 'email' ? `${canary}@example.com` : canary;
      expect(await operator.json(`client erase --account ${account.id} --${by} ${whom}`)).toEqual({
        receipt: expect.stringMatching(/^\w{22}$/),
        account: account.id,
        clients: 1,
        leads: 1,
        importedRows: 0,
        conversions: 1,
        listedRows: 0,
        pendingDeliveries: platformNames.length,
        platformsTold: '',
      });

      expect(await prepared(deliveries)).toEqual(toEach({ kind: 'skipped', reason: 'no_match_keys' }));
      expect(await rowsWith(canary)).toEqual([]);
      const em = operator.database.em();
      expect(await em.findOneOrFail(Lead, client.lead.id)).toMatchObject({
        clickParameters: {},
        clickTimes: null,
        contact: null,
      });
      const none = { externalReference: null, testReference: null, emailHash: null };
      expect(await em.findOneOrFail(Client, client.id)).toMatchObject({ ...none, isTest: mode === 'test' });
      // the reference may be used again in this mode
      await givenClient(em, { account, externalReference: canary, isTest: mode === 'test' });
    },
  );

  it('erases the live and the test client of one reference, and no client of another account', async () => {
    const canary = unique('canary');
    const em = operator.database.em();
    const [account, other] = [await givenAccount(em), await givenAccount(em)];
    for (const isTest of [false, true]) {
      await givenPerson(canary, isTest, account);
      await givenPerson(canary, isTest, other);
    }
    const erase = (id: number) => operator.json(`client erase --account ${id} --reference ${canary}`);
    expect(await erase(account.id)).toMatchObject({ clients: 2, leads: 2, conversions: 2 });
    expect(await erase(other.id)).toMatchObject({ clients: 2, leads: 2, conversions: 2 });
    expect(await rowsWith(canary)).toEqual([]);
  });
});
