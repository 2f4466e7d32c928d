import { conversionAdjuster } from '@leadback/core/conversions/adjust';
import { readConversion } from '@leadback/core/conversions/read';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import { backfillPart, nothingBackfilled } from '@leadback/core/connections/backfill';
import { deleteConnection, endDeliveriesOfDeleted } from '@leadback/core/connections/delete';
import { createConnection } from '@leadback/core/connections/connections';
import { findConnection, resumeConnection } from '@leadback/core/connections/store';
import { parcelClaimer } from '@leadback/core/delivery/claim';
import { requeueDeliveries } from '@leadback/core/delivery/requeue';
import { parcelSettler } from '@leadback/core/delivery/settle';
import { takeDuePlatformRequests } from '@leadback/core/delivery/request-status';
import { accountScope } from '@leadback/core/people/access';
import {
  type Account,
  AuditEntry,
  Delivery,
  DeliveryDue,
  PlatformConnection,
  PlatformRequest,
  WebhookEvent,
} from '@leadback/db';
import { connectionKeys, decryptCredentials } from '@leadback/domain/keys';
import { platformRegistry } from '@leadback/platforms';
import {
  givenAccount,
  givenClient,
  givenConnection,
  givenContacts,
  givenDatabase,
  givenDelivery,
  givenManyDeliveries,
  givenPlatformRequest,
  givenWebhook,
  secretsKeys,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { parcelViolations } from '../../test/parcels.ts';

const email = 'ana@x.example';

describe('deleting a connection', async () => {
  const database = await shared(givenDatabase());
  const options = { contacts: givenContacts(), announce: () => {} };
  const registerSale = conversionRegistrar(database.pool, options);
  const adjust = conversionAdjuster(database.pool, options);

  const remove = ({ id }: Pick<PlatformConnection, 'id'>, isDiscarding = false) =>
    deleteConnection(database.pool, { secretsKeys }, { actor: 'ana', id, isDiscarding });
  const endAll = async () => {
    while (await endDeliveriesOfDeleted(database.pool));
  };
  const sell = async ({ id: accountId }: Account) => {
    const sale = { amount: '10', currency: 'USD', email } as const;
    return (await registerSale({ accountId, isTest: false }, sale)).id;
  };
  const deliveriesOf = ({ id }: PlatformConnection) =>
    database.em().find(Delivery, { connection: id }, { orderBy: { id: 'asc' } });
  const givenConnected = async () => {
    const account = await givenAccount(database.em());
    await givenClient(database.em(), { account, email });
    return { account, connection: await givenConnection(database.em(), { account, label: 'Shop' }) };
  };

  it('is refused while deliveries wait for it, and changes nothing', async () => {
    const { account, connection } = await givenConnected();
    await sell(account);
    await expect(remove(connection)).rejects.toThrow(
      `1 delivery waits for connection ${connection.id}: \`connection resume ${connection.id}\` sends what waits`,
    );
    await endAll();
    expect(await deliveriesOf(connection)).toMatchObject([{ state: 'pending' }]);
    expect(await findConnection(database.pool, { id: connection.id })).toMatchObject({ state: 'active' });
  });

  it('keeps the history, and nothing that is registered later is told over it: neither sales nor their corrections', async () => {
    const { account, connection } = await givenConnected();
    const sold = await sell(account);
    await database.em().nativeUpdate(Delivery, { conversion: sold }, { state: 'delivered', parcelId: null });
    await database.em().nativeDelete(DeliveryDue, { connectionId: connection.id });
    expect(await remove(connection)).toBe(0);

    const mode = { accountId: account.id, isTest: false };
    const later = await sell(account);
    await adjust(mode, { conversionId: sold, kind: 'retract' });
    expect(await deliveriesOf(connection)).toMatchObject([{ state: 'delivered', conversion: { id: sold } }]);
    expect((await readConversion(database.pool, mode, { id: later }))?.deliveries).toEqual([]);
    expect((await readConversion(database.pool, mode, { id: sold }))?.deliveries).toMatchObject([
      { connectionId: connection.id, connectionLabel: 'Shop', platform: 'meta', state: 'delivered' },
    ]);
  });

  it('wipes its credentials, frees its destination, and is audited', async () => {
    const { account, connection } = await givenConnected();
    await remove(connection);
    await expect(findConnection(database.pool, { id: connection.id })).rejects.toThrow('there is no connection');
    await expect(remove(connection)).rejects.toThrow('there is no connection');
    expect(await resumeConnection(database.em(), connection.id)).toBeUndefined();
    const row = await database.em().findOneOrFail(PlatformConnection, connection.id);
    const { id, platform, credentials, destination } = row;
    const owner = { id, accountId: account.id };
    expect(decryptCredentials(connectionKeys(secretsKeys, platform), owner, Buffer.from(credentials))).toEqual({});
    const texts = { field: ({ name }: { name: string }) => name, mapping: String };
    const tools = { platforms: platformRegistry({}), secretsKeys, texts };
    const content = { pixelId: destination, accessToken: 'token' };
    const again = { actor: 'ana', accountId: account.id, platform: 'meta', content, receives: {} } as const;
    expect(await createConnection(database.pool, tools, again)).toMatchObject({ destination, label: destination });
    const entry = { action: 'connection.delete', target: `connection ${id}` };
    expect(await database.em().findOneOrFail(AuditEntry, entry)).toMatchObject({
      actor: 'ana',
      details: { platform: 'meta', label: 'Shop', destination, discarded: 0 },
    });
  });

  it('skips what waits if that is said, in several rounds, and tells the webhooks of each', async () => {
    const { account, connection } = await givenConnected();
    const webhook = await givenWebhook(database.em(), { account });
    const other = await givenConnection(database.em(), { account });
    await givenManyDeliveries(database, { connection, rows: 45 });
    const kept = await givenDelivery(database.em(), { connection: other });
    expect(await remove(connection, true)).toBe(45);
    // the command is killed here: a worker goes on
    expect(await endDeliveriesOfDeleted(database.pool)).toBe(true);
    await endAll();

    const all = await deliveriesOf(connection);
    expect(new Set(all.map(({ state, reason }) => `${state}: ${reason}`))).toEqual(
      new Set(['skipped: connection_deleted']),
    );
    expect(await database.em().findOneOrFail(Delivery, kept.id)).toMatchObject({ state: 'pending' });
    expect(await database.em().count(WebhookEvent, { accountId: account.id, type: 'delivery.skipped' })).toBe(45);
    expect(await database.em().count(Delivery, { connection: webhook.id, state: 'pending' })).toBe(45);
    expect(
      await requeueDeliveries(
        database.em(),
        all.map(({ id }) => id),
      ),
    ).toEqual([]);
    expect(await parcelViolations(database.pool)).toEqual([]);
  });

  it('takes what a worker has claimed: only that the platform accepted an event counts afterwards', async () => {
    const { account, connection } = await givenConnected();
    const claimed = [];
    for (const _ of [1, 2]) {
      const conversion = await sell(account);
      const { parcelId } = await database.em().findOneOrFail(Delivery, { conversion });
      claimed.push(await parcelClaimer(database.pool, givenContacts())(parcelId ?? 0));
    }
    await remove(connection, true);
    await endAll();

    const attempt = { reason: null, httpStatus: 200, answer: null, durationMs: 1 } as const;
    const settle = parcelSettler(database.pool);
    const outcomes = [
      {
        state: 'delivered',
        reason: null,
        retryInMs: null,
        isCounted: true,
        attempt: { ...attempt, outcome: 'delivered' },
      },
      {
        state: 'pending',
        reason: 'HTTP 503',
        retryInMs: 0,
        isCounted: true,
        attempt: { ...attempt, outcome: 'unavailable' },
      },
    ] as const;
    for (const [at, parcel] of claimed.entries()) {
      const outcome = outcomes[at];
      if (!parcel || !outcome) throw new Error('nothing was claimed');
      const deliveryIds = parcel.deliveries.map(({ deliveryId }) => deliveryId);
      await settle({ parcel, deliveries: [{ ...outcome, deliveryIds }] });
    }
    expect(await deliveriesOf(connection)).toMatchObject([
      { state: 'delivered' },
      { state: 'skipped', reason: 'connection_deleted' },
    ]);
    expect(await parcelViolations(database.pool)).toEqual([]);
  });

  it('ends what is committed afterwards, by a transaction that began before', async () => {
    const { connection } = await givenConnected();
    await remove(connection);
    await givenDelivery(database.em(), { connection });
    expect(await deliveriesOf(connection)).toMatchObject([{ state: 'pending' }]);
    await endAll();
    expect(await deliveriesOf(connection)).toMatchObject([{ state: 'skipped', reason: 'connection_deleted' }]);
  });

  it('ends a report of earlier sales over it, and none begins', async () => {
    const { account, connection } = await givenConnected();
    await remove(connection);
    await sell(account);
    const wanted = { actor: 'ana', id: connection.id, isDryRun: false };
    await expect(backfillPart(database.pool, wanted, nothingBackfilled)).rejects.toThrow('there is no connection');
    expect(await deliveriesOf(connection)).toEqual([]);
  });

  it('asks for the status of no request any more', async () => {
    const { id, connection } = await givenPlatformRequest(database.em());
    await remove(connection);
    expect(await takeDuePlatformRequests(database.pool, 100)).not.toContainEqual(expect.objectContaining({ id }));
    await endAll();
    expect(await database.em().findOneOrFail(PlatformRequest, id)).toMatchObject({ checkAt: null });
  });

  it('is for the account of the connection alone, and not for webhooks', async () => {
    const { account, connection } = await givenConnected();
    const other = await givenAccount(database.em());
    const webhook = await givenWebhook(database.em(), { account });
    const scope = await accountScope(database.pool, { id: 0, role: 'admin' }, other.id);
    const wanted = { actor: 'ana', id: connection.id, scope, isDiscarding: true };
    await expect(deleteConnection(database.pool, { secretsKeys }, wanted)).rejects.toThrow('there is no connection');
    await expect(remove(webhook)).rejects.toThrow('which its partner deletes');
  });
});
