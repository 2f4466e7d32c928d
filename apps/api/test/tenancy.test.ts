import type { Account } from '@leadback/db';
import { askErasure, erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import {
  givenAccount,
  givenApiKey,
  givenClient,
  givenConnection,
  secretsKeys,
  unique,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type DocumentedOperation, documentedApi } from './documented-api.ts';
import { givenApi, type Reply } from './given-api.ts';

/** Identifiers that a request may contain. */
interface Things {
  readonly clientId: string;
  readonly conversionId: string;
  readonly erasureId: string;
  readonly askedErasureId: string;
  readonly importId: string;
  readonly reconciliationId: string;
  readonly connectionId: string;
  readonly webhookId: string;
  readonly webhookDeliveryId: string;
  readonly clientReference: string;
  readonly conversionReference: string;
  readonly adjustmentReference: string;
  readonly eventId: string;
  readonly leadReference: string;
  readonly pageSlug: string;
  readonly email: string;
  readonly idempotencyKey: string;
}

// Every parameter of every request, and what it identifies. A new route or field fails here until it has a line.
const matrix: Readonly<Record<string, keyof Things | 'nothing'>> = {
  'GET /client/{id} id': 'clientId',
  'GET /client/erasure/{id} id': 'erasureId',
  // see erasures.test.ts
  'POST /client/allow erasureId': 'nothing',
  'POST /client/allow email': 'nothing',
  'POST /client/allow phoneNumber': 'nothing',
  'POST /client/erasure/{id}/confirmation id': 'askedErasureId',
  'GET /client/conversion/{id} id': 'conversionId',
  'GET /import/{id} id': 'importId',
  'GET /import/{id}/result.csv id': 'importId',
  'POST /import of': 'nothing',
  'POST /import dryRun': 'nothing',
  // kept for files of the account alone; see import-preview.test.ts
  'POST /import choices': 'nothing',
  'POST /import/preview of': 'nothing',
  'POST /import/preview choices': 'nothing',
  // what the rows name is compared in the background; see reconciliation.test.ts
  'POST /reconciliation from': 'nothing',
  'POST /reconciliation to': 'nothing',
  'POST /reconciliation choices': 'nothing',
  'POST /reconciliation items.conversionExternalReference': 'nothing',
  'POST /reconciliation items.amount': 'nothing',
  'POST /reconciliation items.currency': 'nothing',
  'POST /reconciliation items.clientExternalReference': 'nothing',
  'POST /reconciliation items.email': 'nothing',
  'POST /reconciliation items.occurredAt': 'nothing',
  'GET /reconciliation/{id} id': 'reconciliationId',
  'GET /reconciliation/{id}/rows id': 'reconciliationId',
  'GET /reconciliation/{id}/rows outcome': 'nothing',
  'GET /reconciliation/{id}/rows after': 'nothing',
  'GET /reconciliation/{id}/rows.csv id': 'reconciliationId',
  'GET /reconciliation/{id}/rows.csv outcome': 'nothing',
  'POST /reconciliation/{id}/replay id': 'reconciliationId',
  'POST /reconciliation/{id}/replay outcomes': 'nothing',
  'POST /reconciliation/{id}/replay dryRun': 'nothing',
  // one account may have the URL of another
  'POST /webhook url': 'nothing',
  'POST /webhook events': 'nothing',
  'PATCH /webhook/{id} id': 'webhookId',
  'PATCH /webhook/{id} url': 'nothing',
  'PATCH /webhook/{id} events': 'nothing',
  'PATCH /webhook/{id} state': 'nothing',
  'DELETE /webhook/{id} id': 'webhookId',
  'POST /webhook/{id}/secret id': 'webhookId',
  'POST /webhook/{id}/test id': 'webhookId',
  'GET /webhook/{id}/deliveries id': 'webhookId',
  'GET /webhook/{id}/deliveries state': 'nothing',
  'GET /webhook/{id}/deliveries after': 'nothing',
  'POST /webhook/{id}/deliveries/{deliveryId}/retry id': 'webhookId',
  'POST /webhook/{id}/deliveries/{deliveryId}/retry deliveryId': 'webhookDeliveryId',
  'GET /client/conversion externalReference': 'conversionReference',
  'GET /client/conversions from': 'nothing',
  'GET /client/conversions to': 'nothing',
  'GET /client/conversions platform': 'nothing',
  'GET /client/conversions state': 'nothing',
  'GET /client/conversions limit': 'nothing',
  'GET /client/conversions after': 'nothing',
  'GET /report/quality from': 'nothing',
  'GET /report/quality to': 'nothing',
  'GET /report/deliveries from': 'nothing',
  'GET /report/deliveries to': 'nothing',
  'GET /report/deliveries connection': 'connectionId',
  'GET /report/metrics from': 'nothing',
  'GET /report/metrics to': 'nothing',
  'GET /report/metrics by': 'nothing',
  'POST /lead idempotency-key': 'idempotencyKey',
  'POST /lead url': 'nothing',
  'POST /lead referrer': 'nothing',
  'POST /lead ip': 'nothing',
  'POST /lead userAgent': 'nothing',
  'POST /lead cookies': 'nothing',
  'POST /lead occurredAt': 'nothing',
  'POST /lead consent': 'nothing',
  'POST /lead globalPrivacyControl': 'nothing',
  'POST /lead page': 'pageSlug',
  'POST /client idempotency-key': 'idempotencyKey',
  'POST /client leadReference': 'leadReference',
  'POST /client name': 'nothing',
  'POST /client email': 'nothing',
  'POST /client phoneNumber': 'nothing',
  'POST /client externalReference': 'clientReference',
  'POST /client consent': 'nothing',
  'POST /client/erasure idempotency-key': 'idempotencyKey',
  // whether anybody was found, the receipt says; see erasures.test.ts
  'POST /client/erasure clientExternalReference': 'nothing',
  'POST /client/erasure email': 'nothing',
  'POST /client/erasure leadReference': 'nothing',
  'POST /client/batch dryRun': 'nothing',
  'POST /client/batch idempotency-key': 'idempotencyKey',
  'POST /client/batch items.leadReference': 'leadReference',
  'POST /client/batch items.name': 'nothing',
  'POST /client/batch items.email': 'nothing',
  'POST /client/batch items.phoneNumber': 'nothing',
  'POST /client/batch items.externalReference': 'clientReference',
  'POST /client/batch items.consent': 'nothing',
  'POST /client/conversion idempotency-key': 'idempotencyKey',
  'POST /client/conversion amount': 'nothing',
  'POST /client/conversion currency': 'nothing',
  'POST /client/conversion email': 'email',
  'POST /client/conversion clientExternalReference': 'clientReference',
  'POST /client/conversion conversionExternalReference': 'conversionReference',
  'POST /client/conversion leadReference': 'leadReference',
  'POST /client/conversion name': 'nothing',
  'POST /client/conversion phoneNumber': 'nothing',
  'POST /client/conversion occurredAt': 'nothing',
  'POST /client/conversion eventId': 'eventId',
  'POST /client/conversion eventName': 'nothing',
  'POST /client/conversion netAmount': 'nothing',
  'POST /client/conversion items': 'nothing',
  'POST /client/conversion consent': 'nothing',
  'POST /client/conversion/adjustment idempotency-key': 'idempotencyKey',
  'POST /client/conversion/adjustment conversionId': 'conversionId',
  'POST /client/conversion/adjustment conversionExternalReference': 'conversionReference',
  'POST /client/conversion/adjustment kind': 'nothing',
  'POST /client/conversion/adjustment amount': 'nothing',
  'POST /client/conversion/adjustment currency': 'nothing',
  'POST /client/conversion/adjustment occurredAt': 'nothing',
  'POST /client/conversion/adjustment adjustmentExternalReference': 'adjustmentReference',
  'POST /client/conversion/batch dryRun': 'nothing',
  'POST /client/conversion/batch items.amount': 'nothing',
  'POST /client/conversion/batch items.currency': 'nothing',
  'POST /client/conversion/batch items.email': 'email',
  'POST /client/conversion/batch items.clientExternalReference': 'clientReference',
  'POST /client/conversion/batch items.conversionExternalReference': 'conversionReference',
  'POST /client/conversion/batch items.leadReference': 'leadReference',
  'POST /client/conversion/batch items.name': 'nothing',
  'POST /client/conversion/batch items.phoneNumber': 'nothing',
  'POST /client/conversion/batch items.occurredAt': 'nothing',
  'POST /client/conversion/batch items.eventId': 'eventId',
  'POST /client/conversion/batch items.eventName': 'nothing',
  'POST /client/conversion/batch items.netAmount': 'nothing',
  'POST /client/conversion/batch items.items': 'nothing',
  'POST /client/conversion/batch items.consent': 'nothing',
};
const routesWithoutParameters = ['GET /', 'GET /client/erasure', 'GET /webhook'];

interface Place {
  readonly operation: DocumentedOperation;
  readonly in: string;
  readonly field: string;
  readonly name: string;
}

const placesOf = (operation: DocumentedOperation): Place[] => {
  const { name, parameters, requestBody } = operation;
  const inBody = Object.entries(requestBody?.content['application/json']?.schema.properties ?? {}).flatMap(
    ([field, { items }]) =>
      items?.properties
        ? Object.keys(items.properties).map((inItem) => ({
            location: 'item',
            field: inItem,
            path: `${field}.${inItem}`,
          }))
        : { location: 'body', field, path: field },
  );
  return [
    ...parameters.map(({ in: location, name: field }) => ({
      operation,
      in: location,
      field,
      name: `${name} ${field}`,
    })),
    ...inBody.map(({ location, field, path }) => ({ operation, in: location, field, name: `${name} ${path}` })),
  ];
};

/** A response without new ids. */
const withoutIds = ({ status, body }: Reply) => [
  status,
  JSON.stringify(body)
    .replaceAll(/leadback=[0-9A-Za-z]{22}\.\d+; Max-Age=\d+/g, 'leadback=0')
    .replaceAll(/:\d+|:"[0-9A-Za-z]{22}"/g, ':0'),
];

const tables = [
  'account',
  'landing_page',
  'lead',
  'client',
  'conversion',
  'conversion_adjustment',
  'delivery',
  'platform_connection',
  'idempotency_record',
  'import',
  'reconciliation',
  'reconciliation_row',
  'webhook_event',
  'erasure',
];

const missing = (): Things => ({
  clientId: '999999',
  conversionId: '999999',
  erasureId: 'b5RdF0eNs8ItC4hVx2PqWy',
  askedErasureId: 'b5RdF0eNs8ItC4hVx2PqWy',
  importId: '999999',
  reconciliationId: '999999',
  connectionId: '999999',
  webhookId: '999999',
  webhookDeliveryId: '999999',
  clientReference: unique('client'),
  conversionReference: unique('order'),
  adjustmentReference: unique('note'),
  eventId: unique('event'),
  pageSlug: unique('page').toLowerCase(),
  email: `${unique('nobody')}@x.example`,
  idempotencyKey: unique('key'),
  leadReference: issueLeadReference(leadReferenceKeys(secretsKeys)),
});

// neither a visitor's lead nor a page nor a connection has a mode: a test key and a live key may use the same one
const withoutMode: readonly (keyof Things)[] = ['leadReference', 'pageSlug', 'connectionId'];

const created = z.object({ id: z.number() });

describe('isolation of accounts and modes', async () => {
  const api = await shared(givenApi({ allowLoopback: true }));
  const operations = (await documentedApi(api)).operations;

  /** A webhook with a delivery. */
  const givenWebhook = async (key: string) => {
    const url = `http://127.0.0.1:9/${unique('hook')}`;
    const { body } = await api.send('POST', '/api/v1/webhook', { key, body: { url, events: ['delivery.failed'] } });
    const { id } = created.parse(body);
    const test = await api.send('POST', `/api/v1/webhook/${id}/test`, { key });
    const { deliveryId } = z.object({ deliveryId: z.number() }).parse(test.body);
    return { webhookId: String(id), webhookDeliveryId: String(deliveryId) };
  };

  const givenVictim = async ({ isTest = false } = {}) => {
    const em = api.database.em();
    const account = await givenAccount(em);
    const connection = await givenConnection(em, { account });
    const own = {
      clientReference: unique('client'),
      conversionReference: unique('order'),
      adjustmentReference: unique('note'),
      eventId: unique('event'),
      email: `${unique('eva')}@x.example`,
    };
    const { clientReference: externalReference, email } = own;
    const client = await givenClient(em, { account, externalReference, email, isTest });
    const { reference: leadReference, landingPage } = await client.lead.loadOrFail();
    const { slug: pageSlug } = await landingPage.loadOrFail();
    const idempotencyKey = unique('key');
    const sent = { key: await givenApiKey(em, { account, isTest }), headers: { 'idempotency-key': idempotencyKey } };
    await api.send('POST', '/api/v1/lead', { ...sent, body: { url: 'https://shop.example/?gclid=Cj0KCQiA7NO7BhDs' } });
    await api.send('POST', '/api/v1/client', { ...sent, body: { leadReference } });
    await api.send('POST', '/api/v1/client/batch', { ...sent, body: { items: [{ leadReference }] } });
    const order = { email, eventId: own.eventId, conversionExternalReference: own.conversionReference };
    const { body } = await api.send('POST', '/api/v1/client/conversion', {
      ...sent,
      body: { amount: 7, currency: 'USD', ...order },
    });
    const { id } = created.parse(body);
    const restated = { kind: 'restate', amount: 6, adjustmentExternalReference: own.adjustmentReference };
    await api.send('POST', '/api/v1/client/conversion/adjustment', {
      ...sent,
      body: { conversionId: id, ...restated },
    });
    const file = await api.send('POST', '/api/v1/import?of=client', {
      key: sent.key,
      headers: { 'content-type': 'text/csv' },
      body: `leadReference\n${leadReference}\n`,
    });
    const { id: importId } = created.parse(file.body);
    const erasure = await api.send('POST', '/api/v1/client/erasure', { ...sent, body: { email: 'eva@x.example' } });
    const { id: erasureId } = z.object({ id: z.string() }).parse(erasure.body);
    const askedErasureId = await askErasure(api.database.pool, erasureKeys(secretsKeys), {
      accountId: account.id,
      isTest,
      askedBy: 'visitor',
      actor: 'visitor',
      subject: { leadReference },
    });
    await api.database.pool.query(
      `update erasure set state = 'asked', way = 'reference', due_at = now() + interval '1 day' where id = $1`,
      [askedErasureId],
    );
    const list = await api.send('POST', '/api/v1/reconciliation?from=2026-10-01&to=2026-10-31', {
      key: sent.key,
      body: { items: [{ conversionExternalReference: own.conversionReference, amount: 7, currency: 'USD' }] },
    });
    const { id: reconciliationId } = created.parse(list.body);
    const compared = async () => (await api.send('GET', `/api/v1/reconciliation/${reconciliationId}`, sent)).body;
    await expect.poll(compared).toMatchObject({ state: 'done' });
    const ids = {
      clientId: String(client.id),
      connectionId: String(connection.id),
      conversionId: String(id),
      importId: String(importId),
      erasureId,
      askedErasureId,
      reconciliationId: String(reconciliationId),
      ...(await givenWebhook(sent.key)),
    };
    return { account, things: { ...own, ...ids, idempotencyKey, leadReference, pageSlug } satisfies Things };
  };

  const rowsOf = async ({ id }: Account) => {
    const rows = tables.map(async (table) => {
      const column = table === 'account' ? 'id' : 'account_id';
      const query = `select to_json(t) as row from "${table}" t where ${column} = $1 order by to_json(t)::text`;
      return [table, (await api.database.pool.query(query, [id])).rows] as const;
    });
    return Object.fromEntries(await Promise.all(rows));
  };

  /** Sends a valid request of an account, with one parameter replaced. */
  const ask = async (account: Account, place: Place, thing: string, isTest = false): Promise<Reply> => {
    const em = api.database.em();
    const key = await givenApiKey(em, { account, isTest });
    const externalReference = unique('own');
    const client = await givenClient(em, { account, externalReference, isTest });
    const { reference } = await client.lead.loadOrFail();
    const { operation, field } = place;
    const named = { [field]: thing };
    const namesClient = ['email', 'clientExternalReference'].includes(field);
    // with a lead reference, somebody who is not known yet
    const buyer =
      field === 'leadReference'
        ? { email: `${unique('buyer')}@x.example` }
        : { clientExternalReference: externalReference };
    const order = { amount: 1, currency: 'USD', ...(!namesClient && buyer) };
    const givenSale = async () => {
      const sale = { amount: 1, currency: 'USD', clientExternalReference: externalReference };
      return created.parse((await api.send('POST', '/api/v1/client/conversion', { key, body: sale })).body).id;
    };
    const namesConversion = ['conversionId', 'conversionExternalReference'].includes(field);
    const isAdjustment = operation.name === 'POST /client/conversion/adjustment';
    const adjustment = {
      kind: 'restate',
      amount: 1,
      ...(isAdjustment && !namesConversion && { conversionId: await givenSale() }),
    };
    const ofItem = place.in === 'item' ? named : {};
    const inBody = field === 'conversionId' ? { conversionId: Number(thing) } : named;
    const bodies: Readonly<Record<string, object>> = {
      'POST /lead': { url: 'https://shop.example/?utm_campaign=spring' },
      'POST /client': { leadReference: reference },
      'POST /client/batch': { items: [{ leadReference: reference, ...ofItem }] },
      'POST /reconciliation/{id}/replay': { outcomes: ['missing'] },
      'PATCH /webhook/{id}': { state: 'paused' },
      'POST /client/erasure': place.in === 'body' ? {} : { clientExternalReference: unique('person') },
      'POST /client/conversion': order,
      'POST /client/conversion/adjustment': adjustment,
      'POST /client/conversion/batch': {
        items: [{ ...order, conversionExternalReference: unique('order'), ...ofItem }],
      },
    };
    const inPath = async (name: string): Promise<string> => {
      if (place.in === 'path' && field === name) return thing;
      if (field !== 'deliveryId') return '1';
      // the webhook of a delivery, if the caller may know it, or one of its own
      const { rows } = await api.database.pool.query<{ id: string }>(
        `select c.id from delivery f join platform_connection c on c.id = f.connection_id
         where f.id = $1 and c.account_id = $2 and c.is_test = $3`,
        [thing, account.id, isTest],
      );
      return rows[0]?.id ?? (await givenWebhook(key)).webhookId;
    };
    const path = operation.path
      .replace('{id}', await inPath('id'))
      .replace('{deliveryId}', field === 'deliveryId' ? thing : '1');
    const query = place.in === 'query' ? `?${new URLSearchParams(named).toString()}` : '';
    const body = bodies[operation.name];
    return api.send(operation.method.toUpperCase(), `/api/v1${path}${query}`, {
      key,
      headers: place.in === 'header' ? named : {},
      ...(body && { body: { ...body, ...(place.in === 'body' && inBody) } }),
    });
  };

  // what deletes something comes last
  const placesThatName = () =>
    [
      ...operations.filter(({ method }) => method !== 'delete'),
      ...operations.filter(({ method }) => method === 'delete'),
    ]
      .flatMap(placesOf)
      .flatMap((place) => {
        const thing = matrix[place.name] ?? 'nothing';
        return thing === 'nothing' ? [] : { place, thing };
      });

  it('lists every parameter of every endpoint in the tenancy matrix', () => {
    const places = operations.flatMap(placesOf).map(({ name }) => name);
    expect(places.toSorted()).toEqual(Object.keys(matrix).toSorted());
    const without = operations.filter((operation) => placesOf(operation).length === 0);
    expect(without.map(({ name }) => name)).toEqual(routesWithoutParameters);
  });

  it('treats records of other accounts like missing ones in every parameter', async () => {
    const { account, things } = await givenVictim();
    const before = await rowsOf(account);
    expect(before.conversion).toHaveLength(1);
    for (const { place, thing } of placesThatName()) {
      const attacker = await givenAccount(api.database.em());
      const toForeign = await ask(attacker, place, things[thing]);
      const toMissing = await ask(attacker, place, missing()[thing]);
      expect([place.name, withoutIds(toForeign)]).toEqual([place.name, withoutIds(toMissing)]);
    }
    expect(await rowsOf(account)).toEqual(before);
  });

  it.each([
    ['test', 'live'],
    ['live', 'test'],
  ])('shows a %s key the %s records of its account as missing', async (mine) => {
    const isTest = mine === 'test';
    const named = placesThatName().filter(({ thing }) => !withoutMode.includes(thing));
    // registering a reference in one mode uses it there: each parameter of a change needs its own victim
    const read = await givenVictim({ isTest: !isTest });
    const expectMissing = async ({ place, thing }: (typeof named)[number]) => {
      const isRead = place.operation.method === 'get';
      const { account, things } = isRead ? read : await givenVictim({ isTest: !isTest });
      const before = await rowsOf(account);
      const toOtherMode = await ask(account, place, things[thing], isTest);
      const toMissing = await ask(account, place, missing()[thing], isTest);
      expect([place.name, withoutIds(toOtherMode)]).toEqual([place.name, withoutIds(toMissing)]);
      const after = await rowsOf(account);
      for (const table of tables) expect(after[table]).toEqual(expect.arrayContaining(before[table] ?? []));
    };
    for (let start = 0; start < named.length; start += 5)
      await Promise.all(named.slice(start, start + 5).map(expectMissing));
  });

  it('finds the records of the own account in every parameter', async () => {
    const { account, things } = await givenVictim();
    for (const { place, thing } of placesThatName()) {
      const toOwner = await ask(account, place, things[thing]);
      const toMissing = await ask(account, place, missing()[thing]);
      expect([place.name, withoutIds(toOwner)]).not.toEqual([place.name, withoutIds(toMissing)]);
    }
  });
});
