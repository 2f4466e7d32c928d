import { Client } from '@leadback/db';
import { type ClientRegistration, clientRegistrar, type NewClient } from '@leadback/intake';
import {
  givenAccount,
  givenClient,
  givenDatabase,
  givenLead,
  type TestDatabase,
  unique,
} from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unkeyed } from '../support/unkeyed.ts';

describe('registering a client', () => {
  let database: TestDatabase;
  let register: (item: NewClient) => Promise<ClientRegistration>;

  beforeAll(async () => {
    database = await givenDatabase();
    register = unkeyed(clientRegistrar(database.pool));
  });
  afterAll(() => database[Symbol.asyncDispose]());

  /** Valid input for a new lead. */
  const newClient = async (): Promise<NewClient> => {
    const lead = await givenLead(database.em());
    const reference = { leadReference: lead.reference, externalReference: unique('client') };
    return { accountId: lead.account.id, isTest: false, ...reference };
  };

  it('creates a client with the given data', async () => {
    const input = { ...(await newClient()), name: 'Ana', email: 'Ana@x.example', emailKey: 'ana@x.example' };
    const registration = await register(input);
    expect(registration.kind).toBe('created');
    const client = await database.em().findOneOrFail(Client, { externalReference: input.externalReference ?? '' });
    expect(client).toMatchObject({ name: 'Ana', email: 'Ana@x.example', emailKey: 'ana@x.example', phoneNumber: null });
  });

  it('returns the client with the external reference unchanged, whatever the lead', async () => {
    const client = await givenClient(database.em(), { externalReference: unique('client'), name: 'Ana' });
    const of = { accountId: client.account.id, isTest: false };
    const again = { ...of, externalReference: client.externalReference ?? '', name: 'Eva' };
    expect(await register({ ...again, leadReference: 'unknown' })).toEqual({ kind: 'known', id: client.id });
    expect((await database.em().findOneOrFail(Client, client.id)).name).toBe('Ana');
  });

  it('allows several clients for one lead', async () => {
    const input = await newClient();
    const first = await register(input);
    const second = await register({ ...input, externalReference: unique('client') });
    const third = await register({ ...input, externalReference: undefined });
    expect([first.kind, second.kind, third.kind]).toEqual(['created', 'created', 'created']);
  });

  it('rejects unknown leads and leads of other accounts', async () => {
    const other = await givenAccount(database.em());
    const input = await newClient();
    expect(await register({ ...input, leadReference: 'unknown' })).toEqual({ kind: 'lead-missing' });
    expect(await register({ ...input, accountId: other.id })).toEqual({ kind: 'lead-unknown' });
  });

  it('creates one client for concurrent registrations at several instances and returns the same id', async () => {
    const input = await newClient();
    const instances = Array.from({ length: 4 }, () => unkeyed(clientRegistrar(database.pool)));
    const registrations = await Promise.all(
      Array.from({ length: 400 }, (_, index) => (instances[index % instances.length] ?? register)(input)),
    );
    expect(registrations.filter(({ kind }) => kind === 'created')).toHaveLength(1);
    expect(registrations.filter(({ kind }) => kind === 'known')).toHaveLength(399);
    expect(new Set(registrations.map((one) => ('id' in one ? one.id : undefined))).size).toBe(1);
  });
});
