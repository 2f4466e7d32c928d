import { conversionRegistrar } from '@leadback/core/conversions/register';
import { clientRegistrar } from '@leadback/core/clients/register';
import { leadReferenceKeys } from '@leadback/domain/keys';
import {
  givenAccount,
  givenClient,
  givenConnection,
  givenContacts,
  givenDatabase,
  givenLead,
  secretsKeys,
  type TestDatabase,
  unique,
} from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parcelClaimer } from './claim.ts';
import type { NewParcel } from './enqueue.ts';

const ten = { amount: '10', currency: 'USD' } as const;

describe('the first sale of a customer', () => {
  let database: TestDatabase;
  const contacts = givenContacts();
  beforeAll(async () => {
    database = await givenDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const announced: NewParcel[] = [];
  const registrar = () =>
    conversionRegistrar(database.pool, {
      contacts,
      referenceKeys: leadReferenceKeys(secretsKeys),
      announce: (parcels) => announced.push(...parcels),
    });

  const givenShop = async () => {
    const account = await givenAccount(database.em());
    await givenConnection(database.em(), { account });
    const mode = { accountId: account.id, isTest: false };
    const givenCustomer = async (externalReference: string, email?: string) => {
      const lead = await givenLead(database.em(), { account });
      const register = clientRegistrar(database.pool, {
        contacts,
        referenceKeys: leadReferenceKeys(secretsKeys),
        announce: () => {},
      });
      await register(mode, { leadReference: lead.reference, externalReference, ...(email !== undefined && { email }) });
      return { clientExternalReference: externalReference };
    };
    return { account, mode, givenCustomer };
  };

  /** What a worker is told of sales, in the order of their ids. */
  const told = async (ids: readonly number[]) => {
    const claim = parcelClaimer(database.pool, contacts);
    const found = new Map<number, boolean | null>();
    for (const { id } of announced.splice(0)) {
      const parcel = await claim(id);
      for (const { event } of parcel?.deliveries ?? []) {
        if (event.kind === 'conversion') found.set(event.id, event.isNewCustomer);
      }
    }
    return ids.map((id) => found.get(id));
  };

  it('is the first that is registered, and all later ones are of a returning customer', async () => {
    const { mode, givenCustomer } = await givenShop();
    const [ana, bea] = [await givenCustomer('ana'), await givenCustomer('bea')];
    const register = registrar();
    const ids: number[] = [];
    for (const customer of [ana, bea, ana, ana, bea]) ids.push((await register(mode, { ...ten, ...customer })).id);
    expect(await told(ids)).toEqual([true, true, false, false, false]);
  });

  it('is exactly one of many that four instances register at the same time', async () => {
    const { mode, givenCustomer } = await givenShop();
    const customers = [await givenCustomer('ana'), await givenCustomer('bea'), await givenCustomer('cleo')];
    const instances = Array.from({ length: 4 }, registrar);
    const sales = await Promise.all(
      Array.from({ length: 240 }, async (_, index) => {
        const sold = customers[index % customers.length];
        const register = instances[Math.floor(index / customers.length) % instances.length];
        if (!sold || !register) throw new Error('there are customers and instances');
        const conversionExternalReference = unique('order');
        return { ...sold, id: (await register(mode, { ...ten, ...sold, conversionExternalReference })).id };
      }),
    );
    const isNew = await told(sales.map(({ id }) => id));
    for (const { clientExternalReference } of customers) {
      const its = isNew.filter((_, index) => sales[index]?.clientExternalReference === clientExternalReference);
      expect(its.filter((one) => one === true)).toHaveLength(1);
      expect(its.filter((one) => one === false)).toHaveLength(79);
    }
  });

  it('is none that was refused as a repetition', async () => {
    const { mode, givenCustomer } = await givenShop();
    const [ana, bea] = [await givenCustomer('ana'), await givenCustomer('bea')];
    const register = registrar();
    const order = { ...ten, conversionExternalReference: 'order-1' };
    const first = await register(mode, { ...order, ...ana });
    await expect(register(mode, { ...order, ...bea })).rejects.toMatchObject({ code: 'conversion-differs' });
    const later = await register(mode, { ...ten, ...bea });
    expect(await told([first.id, later.id])).toEqual([true, true]);
  });

  it('is none of a person who bought as another client with the same email', async () => {
    const { mode, givenCustomer } = await givenShop();
    const guest = await givenCustomer('guest-1', 'ana@x.example');
    const again = await givenCustomer('guest-2', ' ANA@x.example ');
    const other = await givenCustomer('guest-3', 'bea@x.example');
    const register = registrar();
    const ids: number[] = [];
    for (const client of [guest, again, other, again]) ids.push((await register(mode, { ...ten, ...client })).id);
    expect(await told(ids)).toEqual([true, false, true, false]);
  });

  it('is another one for tests, and for another account', async () => {
    const email = 'ana@x.example';
    const ids: number[] = [];
    const register = registrar();
    for (const isTest of [false, true]) {
      const account = await givenAccount(database.em());
      await givenConnection(database.em(), { account });
      await givenClient(database.em(), { account, email });
      await givenClient(database.em(), { account, email, isTest: true });
      ids.push((await register({ accountId: account.id, isTest }, { ...ten, email })).id);
      ids.push((await register({ accountId: account.id, isTest: !isTest }, { ...ten, email })).id);
    }
    expect(await told(ids)).toEqual([true, true, true, true]);
  });
});
