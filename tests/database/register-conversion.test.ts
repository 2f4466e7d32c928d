import { Conversion, Feedback } from '@leadback/db';
import { type ConversionRegistration, conversionRegistrar, type NewConversion } from '@leadback/intake';
import {
  givenAccount,
  givenClient,
  givenConnection,
  givenDatabase,
  type TestDatabase,
  unique,
} from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unkeyed } from '../support/unkeyed.ts';

describe('registering a conversion', () => {
  let database: TestDatabase;
  let register: (item: NewConversion) => Promise<ConversionRegistration>;

  beforeAll(async () => {
    database = await givenDatabase();
    register = unkeyed(conversionRegistrar(database.pool));
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const created = async (input: NewConversion) => {
    const registration = await register(input);
    if (registration.kind !== 'created') throw new Error(`expected it to be created, not ${registration.kind}`);
    return registration;
  };
  const deadlocks = async () => {
    const statistics = 'select deadlocks::int as n from pg_stat_database where datname = current_database()';
    const { rows } = await database.pool.query<{ n: number }>(statistics);
    return rows[0]?.n;
  };
  const ten = { amount: '10', currency: 'USD', isTest: false } as const;

  it('creates a delivery for every connection that is not paused, due after one lease', async () => {
    const account = await givenAccount(database.em());
    const em = database.em();
    const meta = await givenConnection(em, { account });
    const google = await givenConnection(em, { account, platform: 'google', state: 'needs_attention' });
    await givenConnection(em, { account, state: 'paused' });
    await givenConnection(em);
    const client = await givenClient(em, { account, externalReference: unique('client') });
    const { id, leadId, feedback } = await created({
      accountId: account.id,
      clientExternalReference: client.externalReference ?? '',
      ...ten,
    });
    expect(leadId).toBe(client.lead.id);
    const rows = await database.em().find(Feedback, { conversion: id }, { orderBy: { connection: 'asc' } });
    expect(rows.map(({ connection }) => connection.id)).toEqual([meta.id, google.id]);
    expect(feedback.toSorted((a, b) => b.platform.localeCompare(a.platform))).toEqual([
      { feedbackId: rows[0]?.id, connectionId: meta.id, platform: 'meta' },
      { feedbackId: rows[1]?.id, connectionId: google.id, platform: 'google' },
    ]);
    for (const { createdAt, dueAt, heldUntil } of rows) {
      expect(dueAt.getTime() - createdAt.getTime()).toBe(60_000);
      expect(heldUntil).toEqual(createdAt);
    }
  });

  it.each([
    ['1.005', '1.01'],
    ['0.004', '0.00'],
    ['2.5e-2', '0.03'],
    ['9999999999.99', '9999999999.99'],
  ])('stores the amount %s as %s', async (amount, kept) => {
    const client = await givenClient(database.em(), { email: 'ana@x.example' });
    const { id } = await created({ ...ten, accountId: client.account.id, emailKey: 'ana@x.example', amount });
    expect((await database.em().findOneOrFail(Conversion, id)).amount).toBe(kept);
  });

  it('finds the client by reference first, then the newest by email', async () => {
    const em = database.em();
    const account = await givenAccount(em);
    const byReference = await givenClient(em, { account, externalReference: 'R', email: 'old@x.example' });
    await givenClient(em, { account, email: 'ana@x.example' });
    const newest = await givenClient(em, { account, email: 'ana@x.example' });
    const clientOf = async (wanted: Pick<NewConversion, 'clientExternalReference' | 'emailKey'>) => {
      const { id } = await created({ ...ten, ...wanted, accountId: account.id });
      return (await database.em().findOneOrFail(Conversion, id)).client.id;
    };
    expect(await clientOf({ clientExternalReference: 'R', emailKey: 'ana@x.example' })).toBe(byReference.id);
    expect(await clientOf({ clientExternalReference: 'nobody', emailKey: 'ana@x.example' })).toBe(newest.id);
  });

  it("does not find another account's client for a conversion", async () => {
    const client = await givenClient(database.em(), { email: 'ana@x.example', externalReference: 'R' });
    const other = await givenAccount(database.em());
    expect(client.account.id).not.toBe(other.id);
    const wanted = { ...ten, emailKey: 'ana@x.example', clientExternalReference: 'R' };
    expect(await register({ ...wanted, accountId: other.id })).toEqual({ kind: 'client-unknown' });
  });

  it('registers one of several concurrent conversions with the same reference', async () => {
    const client = await givenClient(database.em(), { email: 'ana@x.example' });
    const instances = Array.from({ length: 4 }, () => unkeyed(conversionRegistrar(database.pool)));
    const input = { ...ten, accountId: client.account.id, emailKey: 'ana@x.example', externalReference: 'order-1' };
    const registrations = await Promise.all(
      Array.from({ length: 400 }, (_, index) => (instances[index % instances.length] ?? register)(input)),
    );
    expect(registrations.filter(({ kind }) => kind === 'created')).toHaveLength(1);
    expect(registrations.filter(({ kind }) => kind === 'repeated')).toHaveLength(399);
    const other = await givenClient(database.em(), { email: 'ana@x.example' });
    await created({ ...input, accountId: other.account.id });
  });

  it('does not deadlock on references that two instances register in opposite orders', async () => {
    const client = await givenClient(database.em(), { email: 'ana@x.example' });
    const input = { ...ten, accountId: client.account.id, emailKey: 'ana@x.example' };
    const references = Array.from({ length: 300 }, () => unique('order'));
    const [one, other] = [unkeyed(conversionRegistrar(database.pool)), unkeyed(conversionRegistrar(database.pool))];
    const registrations = await Promise.all([
      ...references.map((externalReference) => one({ ...input, externalReference })),
      ...references.toReversed().map((externalReference) => other({ ...input, externalReference })),
    ]);
    expect(registrations.filter(({ kind }) => kind === 'created')).toHaveLength(300);
    expect(registrations.filter(({ kind }) => kind === 'repeated')).toHaveLength(300);
  });

  it('does not deadlock on event ids that two instances register in opposite orders', async () => {
    const client = await givenClient(database.em(), { email: 'ana@x.example' });
    const input = { ...ten, accountId: client.account.id, emailKey: 'ana@x.example' };
    const eventIds = Array.from({ length: 300 }, () => unique('event'));
    const [one, other] = [unkeyed(conversionRegistrar(database.pool)), unkeyed(conversionRegistrar(database.pool))];
    const before = await deadlocks();
    const registrations = await Promise.all([
      ...eventIds.map((eventId) => one({ ...input, eventId })),
      ...eventIds.toReversed().map((eventId) => other({ ...input, eventId })),
    ]);
    expect(registrations.filter(({ kind }) => kind === 'created')).toHaveLength(300);
    expect(registrations.filter(({ kind }) => kind === 'event-repeated')).toHaveLength(300);
    expect(await deadlocks()).toBe(before);
  });

  it('registers nothing twice if the retry of one conversion fails', async () => {
    const client = await givenClient(database.em(), { email: 'ana@x.example' });
    const input = { ...ten, accountId: client.account.id, emailKey: 'ana@x.example' };
    await created({ ...input, eventId: 'order-7' });
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
    const tried = unkeyed(conversionRegistrar(failing));
    const [lost, ...others] = await Promise.allSettled([
      tried({ ...input, externalReference: 'order-7' }),
      tried(input),
      tried(input),
    ]);
    expect([lost?.status, ...others.map(({ status }) => status)]).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(await database.em().count(Conversion, { client: client.id })).toBe(3);
  });
});
