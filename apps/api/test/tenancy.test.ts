import type { Account } from '@leadback/db';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain';
import { givenAccount, givenApiKey, givenClient, givenConnection, secretsKeys, unique } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type DocumentedOperation, documentedApi } from './documented-api.ts';
import { givenApi, type Reply, type TestApi } from './given-api.ts';

/** Something that a request can name. */
interface Things {
  readonly clientId: string;
  readonly conversionId: string;
  readonly clientReference: string;
  readonly conversionReference: string;
  readonly eventId: string;
  readonly leadReference: string;
  readonly email: string;
  readonly idempotencyKey: string;
}

// Every place of every request, and what can be named in it. A new route or field fails here until it has its line.
const matrix: Readonly<Record<string, keyof Things | 'nothing'>> = {
  'GET /client/{id} id': 'clientId',
  'GET /client/conversion/{id} id': 'conversionId',
  'GET /client/conversion externalReference': 'conversionReference',
  'POST /client idempotency-key': 'idempotencyKey',
  'POST /client leadReference': 'leadReference',
  'POST /client name': 'nothing',
  'POST /client email': 'nothing',
  'POST /client phoneNumber': 'nothing',
  'POST /client externalReference': 'clientReference',
  'POST /client/conversion idempotency-key': 'idempotencyKey',
  'POST /client/conversion amount': 'nothing',
  'POST /client/conversion currency': 'nothing',
  'POST /client/conversion email': 'email',
  'POST /client/conversion clientExternalReference': 'clientReference',
  'POST /client/conversion conversionExternalReference': 'conversionReference',
  'POST /client/conversion occurredAt': 'nothing',
  'POST /client/conversion eventId': 'eventId',
};
const routesWithoutPlaces = ['GET /'];

interface Place {
  readonly operation: DocumentedOperation;
  readonly in: string;
  readonly field: string;
  readonly name: string;
}

const placesOf = (operation: DocumentedOperation): Place[] => {
  const { name, parameters, requestBody } = operation;
  const inBody = Object.keys(requestBody?.content['application/json'].schema.properties ?? {});
  return [
    ...parameters.map(({ in: index, name: field }) => ({ operation, in: index, field, name: `${name} ${field}` })),
    ...inBody.map((field) => ({ operation, in: 'body', field, name: `${name} ${field}` })),
  ];
};

/** A reply without what is new every time: the ids of what was just made. */
const withoutIds = ({ status, body }: Reply) => [status, JSON.stringify(body).replaceAll(/:\d+/g, ':0')];

const tables = ['account', 'lead', 'client', 'conversion', 'feedback', 'platform_connection', 'idempotency_record'];

const nobodys = (): Things => ({
  clientId: '999999',
  conversionId: '999999',
  clientReference: unique('client'),
  conversionReference: unique('order'),
  eventId: unique('event'),
  email: `${unique('nobody')}@x.example`,
  idempotencyKey: unique('key'),
  leadReference: issueLeadReference(leadReferenceKeys(secretsKeys)),
});

// a lead has no mode: it may be tried out with a test key and registered for real
const withoutMode: readonly (keyof Things)[] = ['leadReference'];

describe('what belongs to another account or to the other mode of the same account', () => {
  let api: TestApi;
  let operations: readonly DocumentedOperation[];
  beforeAll(async () => {
    api = await givenApi();
    operations = (await documentedApi(api)).operations;
  });
  afterAll(() => api[Symbol.asyncDispose]());

  const givenVictim = async ({ isTest = false } = {}) => {
    const em = api.database.em();
    const account = await givenAccount(em);
    await givenConnection(em, { account });
    const own = {
      clientReference: unique('client'),
      conversionReference: unique('order'),
      eventId: unique('event'),
      email: `${unique('eva')}@x.example`,
    };
    const { clientReference: externalReference, email } = own;
    const client = await givenClient(em, { account, externalReference, email, isTest });
    const { reference: leadReference } = await client.lead.loadOrFail();
    const idempotencyKey = unique('key');
    const sent = { key: await givenApiKey(em, { account, isTest }), headers: { 'idempotency-key': idempotencyKey } };
    await api.send('POST', '/api/v1/client', { ...sent, body: { leadReference } });
    const order = { email, eventId: own.eventId, conversionExternalReference: own.conversionReference };
    const { body } = await api.send('POST', '/api/v1/client/conversion', {
      ...sent,
      body: { amount: 7, currency: 'USD', ...order },
    });
    const { id } = z.object({ id: z.number() }).parse(body);
    const ids = { clientId: String(client.id), conversionId: String(id) };
    return { account, things: { ...own, ...ids, idempotencyKey, leadReference } satisfies Things };
  };

  const rowsOf = async ({ id }: Account) => {
    const rows = tables.map(async (table) => {
      const column = table === 'account' ? 'id' : 'account_id';
      const query = `select to_json(t) as row from "${table}" t where ${column} = $1 order by to_json(t)::text`;
      return [table, (await api.database.pool.query(query, [id])).rows] as const;
    });
    return Object.fromEntries(await Promise.all(rows));
  };

  /** Asks for an account, with all that is sent being in order, but for what is named in one place. */
  const ask = async (account: Account, index: Place, thing: string, isTest = false): Promise<Reply> => {
    const em = api.database.em();
    const key = await givenApiKey(em, { account, isTest });
    const externalReference = unique('own');
    const client = await givenClient(em, { account, externalReference, isTest });
    const { reference } = await client.lead.loadOrFail();
    const { operation, field } = index;
    const named = { [field]: thing };
    const namesClient = ['email', 'clientExternalReference'].includes(field);
    const bodies: Readonly<Record<string, object>> = {
      'POST /client': { leadReference: reference },
      'POST /client/conversion': {
        amount: 1,
        currency: 'USD',
        ...(!namesClient && { clientExternalReference: externalReference }),
      },
    };
    const path = operation.path.replace('{id}', index.in === 'path' ? thing : '1');
    const query = index.in === 'query' ? `?${new URLSearchParams(named).toString()}` : '';
    const body = bodies[operation.name];
    return api.send(operation.method.toUpperCase(), `/api/v1${path}${query}`, {
      key,
      headers: index.in === 'header' ? named : {},
      ...(body && { body: { ...body, ...(index.in === 'body' && named) } }),
    });
  };

  const placesThatName = () =>
    operations.flatMap(placesOf).flatMap((index) => {
      const thing = matrix[index.name] ?? 'nothing';
      return thing === 'nothing' ? [] : { index, thing };
    });

  it('can be named in no place that the matrix leaves out', () => {
    const places = operations.flatMap(placesOf).map(({ name }) => name);
    expect(places.toSorted()).toEqual(Object.keys(matrix).toSorted());
    const without = operations.filter((operation) => placesOf(operation).length === 0);
    expect(without.map(({ name }) => name)).toEqual(routesWithoutPlaces);
  });

  it('is answered exactly like what nobody has, wherever it is named, and is neither changed nor shown', async () => {
    const { account, things } = await givenVictim();
    const before = await rowsOf(account);
    expect(before.conversion).toHaveLength(1);
    for (const { index, thing } of placesThatName()) {
      const attacker = await givenAccount(api.database.em());
      const toForeign = await ask(attacker, index, things[thing]);
      const toNobodys = await ask(attacker, index, nobodys()[thing]);
      expect([index.name, withoutIds(toForeign)]).toEqual([index.name, withoutIds(toNobodys)]);
    }
    expect(await rowsOf(account)).toEqual(before);
  });

  it.each([
    ['test', 'live'],
    ['live', 'test'],
  ])(
    'is answered to a %s key exactly like what nobody has if it is %s, and is neither changed nor shown',
    async (mine) => {
      const isTest = mine === 'test';
      for (const { index, thing } of placesThatName().filter((named) => !withoutMode.includes(named.thing))) {
        // registering a reference in one mode takes it there: one victim for each place
        const { account, things } = await givenVictim({ isTest: !isTest });
        const before = await rowsOf(account);
        const toOtherMode = await ask(account, index, things[thing], isTest);
        const toNobodys = await ask(account, index, nobodys()[thing], isTest);
        expect([index.name, withoutIds(toOtherMode)]).toEqual([index.name, withoutIds(toNobodys)]);
        const after = await rowsOf(account);
        for (const table of tables) expect(after[table]).toEqual(expect.arrayContaining(before[table] ?? []));
      }
    },
  );

  it('is answered otherwise to its owner, in every one of these places', async () => {
    const { account, things } = await givenVictim();
    for (const { index, thing } of placesThatName()) {
      const toOwner = await ask(account, index, things[thing]);
      const toNobodys = await ask(account, index, nobodys()[thing]);
      expect([index.name, withoutIds(toOwner)]).not.toEqual([index.name, withoutIds(toNobodys)]);
    }
  });
});
