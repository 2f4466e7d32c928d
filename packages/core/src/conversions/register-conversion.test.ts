import { Conversion, Delivery, DeliveryDue } from '@leadback/db';
import type { NewParcel } from '@leadback/core/delivery/enqueue';
import { Refusal } from '@leadback/domain';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import {
  givenContacts,
  givenAccount,
  givenClient,
  givenConnection,
  givenDatabase,
  type TestDatabase,
  unique,
} from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orRefusal } from '../../test/or-refusal.ts';

type Register = ReturnType<typeof conversionRegistrar>;
type Input = Parameters<Register>[1];

const registeredOf = (results: readonly (object | Refusal)[]) => results.filter((one) => !(one instanceof Refusal));
const refusedOf = (results: readonly (object | Refusal)[], { message }: Refusal) =>
  results.filter((one) => one instanceof Refusal && one.message === message);

const live = (accountId: number) => ({ accountId, isTest: false });
const ten = { amount: '10', currency: 'USD' } as const;
const byEmail = { ...ten, email: 'ana@x.example' };
const orderOf = (conversionExternalReference: string) => ({ ...byEmail, conversionExternalReference });

describe('registering a conversion', () => {
  let database: TestDatabase;
  let register: Register;
  const announced: (readonly NewParcel[])[] = [];
  const announce = (parcels: readonly NewParcel[]) => {
    announced.push(parcels);
  };
  const instance = () => conversionRegistrar(database.pool, { contacts: givenContacts(), announce });

  beforeAll(async () => {
    database = await givenDatabase();
    register = instance();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const deadlocks = async () => {
    const statistics = 'select deadlocks::int as n from pg_stat_database where datname = current_database()';
    const { rows } = await database.pool.query<{ n: number }>(statistics);
    return rows[0]?.n;
  };
  const givenAna = async () => {
    const client = await givenClient(database.em(), { email: 'ana@x.example' });
    return { client, mode: live(client.account.id) };
  };

  it('creates a delivery for every connection, also those that wait for a person, and announces its parcels once', async () => {
    const account = await givenAccount(database.em());
    const em = database.em();
    const meta = await givenConnection(em, { account });
    const google = await givenConnection(em, { account, platform: 'google', state: 'needs_attention' });
    const paused = await givenConnection(em, { account, platform: 'tiktok', state: 'paused' });
    await givenConnection(em);
    const client = await givenClient(em, { account, externalReference: unique('client') });
    const before = announced.length;
    const input = { ...ten, clientExternalReference: client.externalReference ?? '' };
    const { id, leadId } = await register(live(account.id), input);
    expect(leadId).toBe(client.lead.id);
    const rows = await database.em().find(Delivery, { conversion: id }, { orderBy: { connection: 'asc' } });
    expect(rows.map(({ connection }) => connection.id)).toEqual([meta.id, google.id, paused.id]);
    const open = { isTest: false, size: 1, traceParent: null };
    const [parcels, ...others] = announced.slice(before);
    expect(parcels?.toSorted((a, b) => a.connectionId - b.connectionId)).toEqual([
      { id: rows[0]?.parcelId, connectionId: meta.id, platform: 'meta', ...open },
      { id: rows[1]?.parcelId, connectionId: google.id, platform: 'google', ...open },
      { id: rows[2]?.parcelId, connectionId: paused.id, platform: 'tiktok', ...open },
    ]);
    expect(others).toEqual([]);
  });

  it('answers both of two requests that share a run and an idempotency key, by what they ask', async () => {
    const { client, mode } = await givenAna();
    const key = unique('key');
    // in the order that callers meet in: both wait for the runs in progress, and then share one
    const results = await Promise.allSettled([
      register(mode, byEmail),
      register(mode, byEmail),
      register(mode, byEmail, key),
      register(mode, { ...byEmail, amount: '11' }, key),
      register(mode, byEmail, key),
    ]);
    const [first, reused, repeated] = results.slice(2);
    expect(first).toMatchObject({ status: 'fulfilled', value: { isRepeated: false, leadId: client.lead.id } });
    expect(reused).toMatchObject({ status: 'rejected', reason: { code: 'idempotency-key-reused' } });
    expect(repeated).toMatchObject({
      status: 'fulfilled',
      value: { isRepeated: true, id: first?.status === 'fulfilled' && first.value.id },
    });
  });

  it('announces one parcel per connection for conversions that share a commit', async () => {
    const { client, mode } = await givenAna();
    await givenConnection(database.em(), { account: await client.account.loadOrFail() });
    const before = announced.length;
    const fresh = instance();
    const count = 120;
    const registered = await Promise.all(Array.from({ length: count }, () => fresh(mode, byEmail)));
    const parcels = announced.slice(before).flat();
    // two statements run at once: one with the first conversion, one with the second, then groups of at most 50
    expect(parcels.length).toBeLessThan(10);
    expect(parcels.reduce((sum, { size }) => sum + size, 0)).toBe(count);
    const em = database.em();
    const due = await em.find(DeliveryDue, { id: { $in: parcels.map(({ id }) => id) } });
    const deliveries = await em.find(Delivery, { conversion: { $in: registered.map(({ id }) => id) } });
    expect(due.flatMap(({ deliveryIds }) => deliveryIds.map(Number)).toSorted((a, b) => a - b)).toEqual(
      deliveries.map(({ id }) => id).toSorted((a, b) => a - b),
    );
  });

  it('announces nothing if the transaction of the group is not committed', async () => {
    const { client, mode } = await givenAna();
    await givenConnection(database.em(), { account: await client.account.loadOrFail() });
    const before = announced.length;
    const failing = new Proxy(database.pool, {
      get: (pool, name) =>
        name === 'connect'
          ? async () => {
              const connection = await pool.connect();
              const query = connection.query.bind(connection);
              return Object.assign(connection, {
                query: (statement: unknown, ...rest: never[]) =>
                  statement === 'commit'
                    ? Promise.reject(Object.assign(new Error('could not serialize'), { code: '40001' }))
                    : Reflect.apply(query, connection, [statement, ...rest]),
              });
            }
          : Reflect.get(pool, name),
    });
    const tried = conversionRegistrar(failing, { contacts: givenContacts(), announce });
    await expect(tried(mode, byEmail, unique('key'))).rejects.toThrow('could not serialize');
    expect(announced.length).toBe(before);
    expect(await database.em().count(Conversion, { client: client.id })).toBe(0);
  });

  it.each([
    ['1.005', '1.01'],
    ['0.004', '0.00'],
    ['2.5e-2', '0.03'],
    ['9999999999.99', '9999999999.99'],
  ])('stores the amount %s as %s', async (amount, kept) => {
    const { mode } = await givenAna();
    const { id } = await register(mode, { ...byEmail, amount });
    expect((await database.em().findOneOrFail(Conversion, id)).amount).toBe(kept);
  });

  it('finds the client by reference first, then the newest by email', async () => {
    const em = database.em();
    const account = await givenAccount(em);
    const byReference = await givenClient(em, { account, externalReference: 'R', email: 'old@x.example' });
    await givenClient(em, { account, email: 'ana@x.example' });
    const newest = await givenClient(em, { account, email: 'ana@x.example' });
    const clientOf = async (wanted: Pick<Input, 'clientExternalReference' | 'email'>) => {
      const { id } = await register(live(account.id), { ...ten, ...wanted });
      return (await database.em().findOneOrFail(Conversion, id)).client.id;
    };
    expect(await clientOf({ clientExternalReference: 'R', email: 'ana@x.example' })).toBe(byReference.id);
    expect(await clientOf({ clientExternalReference: 'nobody', email: 'ana@x.example' })).toBe(newest.id);
  });

  it("does not find another account's client for a conversion", async () => {
    const client = await givenClient(database.em(), { email: 'ana@x.example', externalReference: 'R' });
    const other = await givenAccount(database.em());
    expect(client.account.id).not.toBe(other.id);
    const registering = register(live(other.id), { ...byEmail, clientExternalReference: 'R' });
    await expect(registering).rejects.toEqual(new Refusal('client-unknown'));
  });

  it('registers one of several concurrent conversions with the same reference', async () => {
    const { mode } = await givenAna();
    const instances = Array.from({ length: 4 }, instance);
    const input = { ...byEmail, conversionExternalReference: 'order-1' };
    const results = await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        orRefusal((instances[index % instances.length] ?? register)(mode, input)),
      ),
    );
    expect(registeredOf(results)).toHaveLength(1);
    expect(refusedOf(results, new Refusal('conversion-repeated'))).toHaveLength(399);
    const other = await givenAna();
    await register(other.mode, input);
  });

  it('does not deadlock on references that two instances register in opposite orders', async () => {
    const { mode } = await givenAna();
    const references = Array.from({ length: 300 }, () => unique('order'));
    const [one, other] = [instance(), instance()];
    const before = await deadlocks();
    const results = await Promise.all([
      ...references.map((reference) => orRefusal(one(mode, orderOf(reference)))),
      ...references.toReversed().map((reference) => orRefusal(other(mode, orderOf(reference)))),
    ]);
    expect(registeredOf(results)).toHaveLength(300);
    expect(refusedOf(results, new Refusal('conversion-repeated'))).toHaveLength(300);
    expect(await deadlocks()).toBe(before);
  });

  it('does not deadlock on event ids that two instances register in opposite orders', async () => {
    const { mode } = await givenAna();
    const eventIds = Array.from({ length: 300 }, () => unique('event'));
    const [one, other] = [instance(), instance()];
    const before = await deadlocks();
    const results = await Promise.all([
      ...eventIds.map((eventId) => orRefusal(one(mode, { ...byEmail, eventId }))),
      ...eventIds.toReversed().map((eventId) => orRefusal(other(mode, { ...byEmail, eventId }))),
    ]);
    expect(registeredOf(results)).toHaveLength(300);
    expect(refusedOf(results, new Refusal('conversion-repeated.eventId'))).toHaveLength(300);
    expect(await deadlocks()).toBe(before);
  });

  it('registers nothing twice if the retry of one conversion fails', async () => {
    const { client, mode } = await givenAna();
    await register(mode, { ...byEmail, eventId: 'order-7' });
    // like a deadlock: the first statement with a retry fails, but the others of its batch are committed
    const failing = new Proxy(database.pool, {
      get: (pool, name) =>
        name === 'query'
          ? (query: { text: string; values: string[] }) =>
              query.values[0]?.includes('"isSecondTry":true') === true
                ? Promise.reject(Object.assign(new Error('deadlock detected'), { code: '40P01' }))
                : pool.query(query)
          : Reflect.get(pool, name),
    });
    const tried = conversionRegistrar(failing, { contacts: givenContacts(), announce });
    const [lost, ...others] = await Promise.allSettled([
      tried(mode, { ...byEmail, conversionExternalReference: 'order-7' }),
      tried(mode, byEmail),
      tried(mode, byEmail),
    ]);
    expect([lost?.status, ...others.map(({ status }) => status)]).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(await database.em().count(Conversion, { client: client.id })).toBe(3);
  });
});
