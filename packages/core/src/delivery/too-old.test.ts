import { Delivery } from '@leadback/db';
import { givenAccount, givenClient, givenConnection, givenContacts, givenDatabase, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { parcelViolations } from '../../test/parcels.ts';
import { conversionRegistrar } from '../conversions/register.ts';
import { endTooOldDeliveries } from './too-old.ts';
import { readAttention } from './waiting.ts';

const dayMs = 86_400_000;
const email = 'ana@x.example';

describe('what waits for a connection that is paused or held', async () => {
  const database = await shared(givenDatabase());
  const register = conversionRegistrar(database.pool, { contacts: givenContacts(), announce: () => {} });
  const endAll = async () => {
    while (await endTooOldDeliveries(database.pool));
  };

  it.each(['paused', 'needs_attention'] as const)(
    'is skipped once it is too old for its platform: %s',
    async (state) => {
      const em = database.em();
      const account = await givenAccount(em);
      await givenClient(em, { account, email });
      const connections = {
        meta: await givenConnection(em, { account, platform: 'meta', state }),
        google: await givenConnection(em, { account, platform: 'google', state }),
        active: await givenConnection(em, { account, platform: 'tiktok' }),
      };
      // together, so that old and young ones share parcels
      await Promise.all(
        [1, 6, 8, 30].map((days) =>
          register(
            { accountId: account.id, isTest: false },
            { amount: '10', currency: 'USD', email, occurredAt: new Date(Date.now() - days * dayMs).toISOString() },
          ),
        ),
      );
      await endAll();
      const states = async (connection: keyof typeof connections) => {
        const found = await database
          .em()
          .find(Delivery, { connection: connections[connection] }, { orderBy: { occurredAt: 'desc' } });
        return found.map((one) => one.reason ?? one.state);
      };
      expect(await states('meta')).toEqual(['pending', 'pending', 'event_too_old', 'event_too_old']);
      expect(await states('google')).toEqual(['pending', 'pending', 'pending', 'pending']);
      expect(await states('active')).toEqual(['pending', 'pending', 'pending', 'pending']);
      expect(await parcelViolations(database.pool)).toEqual([]);
      const { connections: held } = await readAttention(database.pool, { accountId: account.id, isTest: false });
      expect(held.map(({ platform, deliveries }) => [platform, deliveries])).toContainEqual(['meta', 2]);
    },
  );
});
