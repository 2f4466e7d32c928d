import { Delivery, type PlatformConnection } from '@leadback/db';
import { clientBatchRegistrar } from '@leadback/core/batches';
import { clientRegistrar } from '@leadback/core/clients/register';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import type { NewParcel } from '@leadback/core/delivery/enqueue';
import { requeueDeliveries } from '@leadback/core/delivery/requeue';
import { leadReferenceKeys } from '@leadback/domain/keys';
import {
  givenContacts,
  givenAccount,
  givenConnection,
  givenDatabase,
  givenLead,
  secretsKeys,
  unique,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { parcelOf, parcelViolations } from '../../test/parcels.ts';
import { settling } from '../../test/settling.ts';

const referenceKeys = leadReferenceKeys(secretsKeys);
const both: PlatformConnection['eventKinds'] = ['conversion', 'lead'];

describe('the deliveries of leads', async () => {
  const database = await shared(givenDatabase());

  /** An account with a lead and connections. */
  const given = async (...connections: readonly NonNullable<Parameters<typeof givenConnection>[1]>[]) => {
    const em = database.em();
    const account = await givenAccount(em);
    const lead = await givenLead(em, { account });
    const ids: number[] = [];
    for (const options of connections) ids.push((await givenConnection(em, { account, ...options })).id);
    const announced: NewParcel[] = [];
    const options = {
      contacts: givenContacts(),
      referenceKeys,
      announce: (parcels: readonly NewParcel[]) => announced.push(...parcels),
    };
    const mode = { accountId: account.id, isTest: false };
    const input = () => ({ leadReference: lead.reference, externalReference: unique('client') });
    const register = clientRegistrar(database.pool, options);
    return { account, ids, announced, options, mode, input, register };
  };
  const deliveriesOf = (account: { readonly id: number }) =>
    database.em().find(Delivery, { account: account.id }, { orderBy: { id: 'asc' } });

  it('nothing is told of a new client unless a connection opts in', async () => {
    const { account, announced, mode, input, register } = await given({}, { platform: 'google' });
    await register(mode, input());
    expect([await deliveriesOf(account), announced]).toEqual([[], []]);
  });

  it('a new client is told to the connections that opted in, and a known client is not told again', async () => {
    const { account, ids, announced, mode, input, register } = await given(
      { eventKinds: both },
      {},
      { eventKinds: ['lead'], platform: 'tiktok', state: 'needs_attention' },
      { eventKinds: both, state: 'paused' },
    );
    const client = input();
    const { id } = await register(mode, client);
    await register(mode, client);
    const deliveries = await deliveriesOf(account);
    expect(deliveries.map(({ client: told, connection, state }) => [told?.id, connection.id, state])).toEqual([
      [id, ids[0], 'pending'],
      [id, ids[2], 'pending'],
      [id, ids[3], 'pending'],
    ]);
    expect(
      announced.map(({ connectionId, platform, size, isTest }) => ({ connectionId, platform, size, isTest })),
    ).toEqual([
      { connectionId: ids[0], platform: 'meta', size: 1, isTest: false },
      { connectionId: ids[2], platform: 'tiktok', size: 1, isTest: false },
      { connectionId: ids[3], platform: 'meta', size: 1, isTest: false },
    ]);
    expect(await parcelViolations(database.pool)).toEqual([]);
  });

  it('clients that arrive together for accounts with and without leads are told as each account says', async () => {
    const first = await given({ eventKinds: both });
    const partners = [first, await given({}), await given({ eventKinds: both })];
    const ids = await Promise.all(
      partners.flatMap(({ mode, input }) =>
        Array.from({ length: 5 }, () => first.register(mode, input(), unique('key'))),
      ),
    );
    expect(new Set(ids.map(({ id }) => id)).size).toBe(15);
    const told = await Promise.all(partners.map(({ account }) => deliveriesOf(account)));
    expect(told.map((deliveries) => deliveries.length)).toEqual([5, 0, 5]);
    expect(new Set(told.flat().map(({ client }) => client?.id)).size).toBe(10);
  });

  it('a client is told once, however often and however concurrently its request arrives', async () => {
    const { account, mode, input, register } = await given({ eventKinds: both });
    const client = input();
    const key = unique('key');
    await Promise.allSettled(Array.from({ length: 10 }, (_, n) => register(mode, client, n % 2 ? key : undefined)));
    expect(await deliveriesOf(account)).toHaveLength(1);
  });

  it('clients of a batch are told after its commit, and those of a dry run are not', async () => {
    const { account, announced, options, mode, input } = await given({ eventKinds: both });
    const register = clientBatchRegistrar(database.pool, { ...options, onRefused() {} });
    const items = Array.from({ length: 150 }, input);
    await register(mode, items, { isDryRun: true });
    expect([await deliveriesOf(account), announced]).toEqual([[], []]);
    for (const key of [undefined, unique('key')]) await register(mode, items, { isDryRun: false }, key);
    expect(await deliveriesOf(account)).toHaveLength(150);
    expect(announced.reduce((sum, { size }) => sum + size, 0)).toBe(150);
  });

  it('a connection that is told of leads alone is told of no conversion', async () => {
    const { account, ids, mode, input, register } = await given({ eventKinds: ['lead'] }, {});
    const client = input();
    await register(mode, client);
    const convert = conversionRegistrar(database.pool, { contacts: givenContacts(), announce: () => {} });
    await convert(mode, { amount: '10', currency: 'USD', clientExternalReference: client.externalReference });
    const deliveries = await deliveriesOf(account);
    expect(deliveries.map(({ conversion, connection }) => [conversion === null, connection.id])).toEqual([
      [true, ids[0]],
      [false, ids[1]],
    ]);
  });

  it.each([
    [false, 'lead:'],
    [true, 'test:lead:'],
  ])('a worker claims the lead of a client (test: %s) with an event id that begins with %s', async (isTest, begin) => {
    const { account, mode, input, register } = await given({ eventKinds: both });
    const { id } = await register({ ...mode, isTest }, { ...input(), email: 'ana@x.example' });
    const [delivery] = await deliveriesOf(account);
    const { mode: sent, deliveries } = await settling(database).claimed(delivery?.id ?? 0);
    expect(sent).toBe(isTest ? 'test' : 'live');
    expect(deliveries).toMatchObject([
      {
        event: {
          kind: 'lead',
          eventId: expect.stringMatching(new RegExp(`^${begin}[0-9a-f-]{36}:${id}$`)),
          client: { id, email: 'ana@x.example' },
        },
        others: undefined,
      },
    ]);
  });

  it('the delivery of a lead is counted from when the client was registered, and can be retried', async () => {
    const { account, mode, input, register } = await given({ eventKinds: both });
    await register({ ...mode, isTest: true }, input());
    const [delivery] = await deliveriesOf(account);
    if (!delivery) throw new Error('there is no delivery');
    expect(await parcelOf(database, delivery.id)).toMatchObject({ isTest: true, oldestAt: delivery.occurredAt });
    const failed = { state: 'failed', reason: 'x', retryInMs: null, isCounted: true, attempt: null } as const;
    await settling(database).send(delivery.id, failed);
    expect(await requeueDeliveries(database.em(), [delivery.id])).toEqual([delivery.id]);
    expect(await parcelOf(database, delivery.id)).toMatchObject({ isTest: true, oldestAt: delivery.occurredAt });
    expect(await parcelViolations(database.pool)).toEqual([]);
  });

  it('no metric of conversions counts the deliveries of leads', async () => {
    const { account, mode, input, register } = await given({ eventKinds: both });
    await register(mode, input());
    const [delivery] = await deliveriesOf(account);
    const done = { state: 'delivered', reason: null, retryInMs: null, isCounted: true, attempt: null } as const;
    await settling(database).send(delivery?.id ?? 0, done);
    const { rows } = await database.pool.query(
      'select measure from metric_increment where account_id = $1 order by 1',
      [account.id],
    );
    expect(rows).toEqual([{ measure: 'clients' }, { measure: 'leads' }]);
  });
});
