import { readClient } from '@leadback/core/clients/read';
import { Client } from '@leadback/db';
import { type AccountMode, Refusal } from '@leadback/domain';
import { clientRegistrar } from '@leadback/core/clients/register';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import {
  givenContacts,
  givenAccount,
  givenClient,
  givenDatabase,
  givenLead,
  secretsKeys,
  type TestDatabase,
  unique,
  shared,
  openPatientPool,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { waitingForLocks } from '../../test/waiting-for-locks.ts';

const keys = leadReferenceKeys(secretsKeys);

const registrarOn = (pool: TestDatabase['pool']) =>
  clientRegistrar(pool, { contacts: givenContacts(), referenceKeys: keys, announce: () => {} });

describe('registering a client', async () => {
  const database = await shared(givenDatabase());
  const register = registrarOn(database.pool);

  /** Valid input for a new lead. */
  const newClient = async () => {
    const lead = await givenLead(database.em());
    const mode: AccountMode = { accountId: lead.account.id, isTest: false };
    return { mode, input: { leadReference: lead.reference, externalReference: unique('client') } };
  };

  it('creates a client with the given data', async () => {
    const { mode, input } = await newClient();
    const client = await register(mode, { ...input, name: 'Ana', email: 'Ana@x.example' });
    expect(client).toMatchObject({ outcome: 'created', isRepeated: false });
    const stored = await database.em().findOneOrFail(Client, client.id);
    const read = await readClient(database.pool, givenContacts(), { ...mode, id: client.id });
    expect(read).toMatchObject({ name: 'Ana', email: 'Ana@x.example', phoneNumber: null });
    expect(stored.externalReference).toBe(input.externalReference);
  });

  it('returns the client with the external reference unchanged, whatever the lead', async () => {
    const client = await givenClient(database.em(), { externalReference: unique('client'), name: 'Ana' });
    const mode = { accountId: client.account.id, isTest: false };
    const again = { externalReference: client.externalReference ?? '', name: 'Eva', leadReference: 'unknown' };
    expect(await register(mode, again)).toMatchObject({ outcome: 'known', id: client.id });
    expect(await readClient(database.pool, givenContacts(), { ...mode, id: client.id })).toMatchObject({ name: 'Ana' });
  });

  it('allows several clients for one lead', async () => {
    const { mode, input } = await newClient();
    const clients = [
      await register(mode, input),
      await register(mode, { ...input, externalReference: unique('client') }),
      await register(mode, { ...input, externalReference: undefined }),
    ];
    expect(clients.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
  });

  it('refuses damaged lead references, and leads of no account and of other accounts', async () => {
    const { mode, input } = await newClient();
    const other = await givenAccount(database.em());
    const damaged = register(mode, { ...input, leadReference: 'unknown' });
    await expect(damaged).rejects.toEqual(new Refusal('lead-unknown.damaged'));
    const foreign = await givenLead(database.em(), { reference: issueLeadReference(keys) });
    const ofAnother = register({ ...mode, accountId: other.id }, { ...input, leadReference: foreign.reference });
    await expect(ofAnother).rejects.toEqual(new Refusal('lead-unknown'));
    const missing = register(mode, { ...input, leadReference: issueLeadReference(keys) });
    await expect(missing).rejects.toEqual(new Refusal('lead-unknown'));
  });

  it('waits for the lead of a genuine reference that is about to be written', async () => {
    const { mode, input } = await newClient();
    const { account } = await givenLead(database.em());
    const reference = issueLeadReference(keys);
    const registering = register({ ...mode, accountId: account.id }, { ...input, leadReference: reference });
    await givenLead(database.em(), { account: await account.loadOrFail(), reference });
    expect((await registering).outcome).toBe('created');
  });

  it('creates none without its lead if retention deletes that at the same time', async () => {
    const { mode, input } = await newClient();
    await using patient = await openPatientPool({
      url: database.url,
      applicationName: 'test',
      hasNoStatementTimeout: true,
    });
    await using owner = await openPatientPool({ url: database.ownerUrl, applicationName: 'test' });
    const retention = await owner.pool.connect();
    await retention.query('begin');
    await retention.query('select from lead where reference = $1 for update', [input.leadReference]);
    const deleteOnceAwaited = async () => {
      await waitingForLocks(database, 1);
      await retention.query('delete from lead where reference = $1', [input.leadReference]);
      await retention.query('commit');
      retention.release();
    };
    const [registered] = await Promise.allSettled([registrarOn(patient.pool)(mode, input), deleteOnceAwaited()]);
    expect(registered).toEqual({ status: 'rejected', reason: new Refusal('lead-unknown') });
    expect(await database.em().count(Client, { externalReference: input.externalReference })).toBe(0);
  });

  it('creates one client for concurrent registrations at several instances and returns the same id', async () => {
    const { mode, input } = await newClient();
    const instances = Array.from({ length: 4 }, () => registrarOn(database.pool));
    const clients = await Promise.all(
      Array.from({ length: 400 }, (_, index) => (instances[index % instances.length] ?? register)(mode, input)),
    );
    expect(clients.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    expect(clients.filter(({ outcome }) => outcome === 'known')).toHaveLength(399);
    expect(new Set(clients.map(({ id }) => id)).size).toBe(1);
  });
});
