import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Lead } from '@leadback/db';
import { givenAccount, givenApiKey, givenClient, givenConnection, givenLead, unique, shared } from '@leadback/testing';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sdkFiles } from '../src/documentation/content.ts';
import { type DocumentedOperation, documentedApi, type property } from './documented-api.ts';
import { givenApi, type Reply } from './given-api.ts';

type Body = Readonly<Record<string, unknown>>;

/** Accepted and refused values of a property. */
const valuesOf = (described: z.infer<typeof property>, sent: unknown) => {
  const { type, minLength = 0, maxLength = 0, minimum = 0, maximum = 0, enum: allowed } = described;
  if (type === 'boolean') return { good: [true, false, undefined], bad: [null, 'true', 1, [true]] };
  if (type === 'array') {
    const { minItems = 0, maxItems } = described;
    const full = maxItems === undefined ? [] : [Array.from({ length: maxItems }, () => ({}))];
    const tooMany = full.map((items) => [...items, {}]);
    const [good, empty] = minItems > 0 ? [[], [[]]] : [[[]], []];
    return { good: [sent, ...good, ...full], bad: [...empty, null, undefined, 'x', {}, 7, ...tooMany] };
  }
  if (allowed) {
    const [name = ''] = allowed;
    const inOtherCase = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
    return { good: allowed, bad: [inOtherCase, '', 7, null, [name]] };
  }
  if (type === 'object') return { good: [{}, { later: 1 }], bad: ['x', 7, true, [sent]] };
  if (type === 'integer') return { good: [null, undefined], bad: [0, -1, 1.5, 2 ** 53, '1', [1], true] };
  if (type === 'number') {
    return { good: [minimum, maximum], bad: [minimum - 0.01, maximum + 0.01, String(minimum), null, [minimum], true] };
  }
  const long = 'x'.repeat(maxLength);
  const takesNumbers = described.anyOf?.some((one) => one.type === 'integer') === true;
  return {
    good: minLength === 0 ? [null, '', ' ', undefined] : [],
    bad: [
      `${long}x`,
      'a\u0000',
      '\uD800',
      takesNumbers ? 7.5 : 7,
      ['x'],
      {},
      true,
      ...(minLength > 0 ? ['', ' ', null, undefined] : []),
    ],
  };
};

const bodyOf = ({ requestBody, name }: DocumentedOperation) => {
  const json = requestBody?.content['application/json'];
  if (!json) throw new Error(`${name} takes no JSON`);
  return json;
};

/** The example body of a refusal. */
const refusalOf = ({ responses }: DocumentedOperation, status: number) => responses[status]?.content.example;

/** A body that is larger than the endpoint takes. */
const tooLarge = ({ path, requestBody }: DocumentedOperation) => {
  if (!requestBody?.content['application/json']) {
    return { body: 'x'.repeat(50 * 2 ** 20 + 1), headers: { 'content-type': 'text/csv' } };
  }
  return { body: { text: 'x'.repeat(path.endsWith('/batch') || path === '/reconciliation' ? 1_100_000 : 70_000) } };
};

const missingIdOf = ({ path }: DocumentedOperation): string =>
  path.startsWith('/client/erasure') ? 'b5RdF0eNs8ItC4hVx2PqWy' : '999999';

describe('the OpenAPI document', async () => {
  const api = await shared(givenApi({ allowLoopback: true }));
  const documented = await documentedApi(api);
  const em = api.database.em();
  const account = await givenAccount(em);
  const key = await givenApiKey(em, { account });
  await givenConnection(em, { account });
  const leadReference = 'Zk3vT9qLm2XcB7nRw5YdHs';
  const lead = await givenLead(em, { account });
  await em.nativeUpdate(Lead, { id: lead.id }, { reference: leadReference });
  await givenClient(em, { account, externalReference: 'customer-1042', email: 'ana@example.com' });

  // the data that the examples refer to

  /** Sends a request and checks that the response is documented. */
  const ask = async (operation: DocumentedOperation, path: string, body?: unknown): Promise<Reply> => {
    const method = operation.method.toUpperCase();
    const reply = await api.send(method, documented.basePath + path, { key, ...(body !== undefined && { body }) });
    expect(documented.undocumented(operation, reply)).toEqual([]);
    return reply;
  };
  const posts = () =>
    documented.operations.filter(({ requestBody }) => requestBody?.content['application/json'] !== undefined);
  const sendFile = (body: string, path = '/import?of=conversion') =>
    api.send('POST', `/api/v1${path}`, { key, body, headers: { 'content-type': 'text/csv' } });

  /** The path of an operation with what it requires: a reconciliation, and the examples of required parameters. */
  const completePath = async ({ path, parameters, requestBody }: DocumentedOperation): Promise<string> => {
    if (path.startsWith('/webhook/{id}')) return path.replace('{id}', String(await webhook()));
    const query = parameters.filter(({ in: place, required = false }) => place === 'query' && required);
    const named = new URLSearchParams(query.map(({ name, example }): [string, string] => [name, String(example)]));
    const found = path.includes('{id}') && requestBody ? path.replace('{id}', await givenReconciliation()) : path;
    return query.length === 0 ? found : `${found}?${named.toString()}`;
  };
  const givenReconciliation = async (): Promise<string> => {
    const sent = await api.send('POST', '/api/v1/reconciliation?from=2026-10-01&to=2026-10-31', {
      key,
      body: { items: [] },
    });
    const { id } = z.object({ id: z.number() }).parse(sent.body);
    const read = async () => (await api.send('GET', `/api/v1/reconciliation/${id}`, { key })).body;
    await expect.poll(read).toMatchObject({ state: 'done' });
    return String(id);
  };
  /** The id of a new webhook, of which an account has few. */
  const webhook = async (): Promise<number> => {
    await api.database.asOwner(`delete from platform_connection where platform = 'webhook'`);
    const sent = { url: `http://127.0.0.1:9/${unique('hook')}`, events: ['delivery.failed'] };
    return z.object({ id: z.number() }).parse((await api.send('POST', '/api/v1/webhook', { key, body: sent })).body).id;
  };
  const fresh = (() => {
    let count = 0;
    // each order can be registered only once, and each is adjusted only once
    return async (body: Body, currency = 'USD'): Promise<Body> => {
      count += 1;
      // of a webhook
      if ('url' in body && !('referrer' in body)) return { ...body, url: `http://127.0.0.1:9/${count}` };
      if (!('amount' in body)) return body;
      const conversionExternalReference = `order-${count}`;
      const order = { conversionExternalReference, eventId: `event-${count}` };
      if (!('kind' in body)) return { ...body, ...order };
      const sale = { ...order, amount: 200, currency, clientExternalReference: 'customer-1042' };
      const { body: registered } = await api.send('POST', '/api/v1/client/conversion', { key, body: sale });
      const { id: conversionId } = Object(registered);
      const adjustment = { amount: 100, adjustmentExternalReference: `note-${count}` };
      return { ...body, kind: 'restate', ...adjustment, conversionId, conversionExternalReference };
    };
  })();
  /** A valid body with one field changed. */
  const changed = async (body: Body, field: string, value: unknown): Promise<Body> => {
    // an adjustment has the currency of its sale
    const { amount, ...rest } = await fresh(body, value === 'ARS' ? value : 'USD');
    // exactly one name of a person
    if ('erasureId' in body || ('clientExternalReference' in body && !('currency' in body))) {
      const isSent = value !== null && value !== undefined && (typeof value !== 'string' || value.trim() !== '');
      const another = 'erasureId' in body ? 'phoneNumber' : 'leadReference';
      const other = field === 'email' ? another : 'email';
      return isSent ? { [field]: value } : { [field]: value, [other]: body[other] };
    }
    // it must not have an amount
    return { ...rest, ...(value !== 'retract' && { amount }), [field]: value };
  };

  it('serves a valid OpenAPI 3.1 document', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(documented.document)));
    expect(result).toMatchObject({ valid: true });
    expect(documented.document).toMatchObject({ openapi: '3.1.0' });
  });

  it('documents every endpoint, with an example of each response', () => {
    expect(documented.operations.map(({ name }) => name).toSorted()).toEqual([
      'DELETE /webhook/{id}',
      'GET /',
      'GET /client/conversion',
      'GET /client/conversion/{id}',
      'GET /client/conversions',
      'GET /client/erasure',
      'GET /client/erasure/{id}',
      'GET /client/{id}',
      'GET /import/{id}',
      'GET /import/{id}/result.csv',
      'GET /reconciliation/{id}',
      'GET /reconciliation/{id}/rows',
      'GET /reconciliation/{id}/rows.csv',
      'GET /report/deliveries',
      'GET /report/metrics',
      'GET /report/quality',
      'GET /webhook',
      'GET /webhook/{id}/deliveries',
      'PATCH /webhook/{id}',
      'POST /client',
      'POST /client/allow',
      'POST /client/batch',
      'POST /client/conversion',
      'POST /client/conversion/adjustment',
      'POST /client/conversion/batch',
      'POST /client/erasure',
      'POST /client/erasure/{id}/confirmation',
      'POST /import',
      'POST /import/preview',
      'POST /lead',
      'POST /reconciliation',
      'POST /reconciliation/{id}/replay',
      'POST /webhook',
      'POST /webhook/{id}/deliveries/{deliveryId}/retry',
      'POST /webhook/{id}/secret',
      'POST /webhook/{id}/test',
    ]);
    for (const operation of documented.operations) {
      for (const [status, { content, headers: refusal }] of Object.entries(operation.responses)) {
        const { example, type } = content;
        const [code] = refusal['Leadback-Error']?.schema.enum ?? [];
        const headers = new Headers({ 'content-type': `${type}; charset=utf-8` });
        if (code !== undefined) headers.set('leadback-error', code);
        const reply = { status: Number(status), headers, body: example };
        expect([operation.name, documented.undocumented(operation, reply)]).toEqual([operation.name, []]);
      }
    }
  });

  it('has request examples that the API accepts unchanged', async () => {
    for (const operation of posts()) {
      const examples = Object.values(bodyOf(operation).examples);
      expect(examples.length).toBeGreaterThan(0);
      for (const { value } of examples) {
        const { status } = await ask(operation, await completePath(operation), value);
        expect([operation.name, status]).toEqual([operation.name, expect.toBeOneOf([200, 201, 202])]);
      }
    }
  });

  it('has an example of each file that the API accepts unchanged', async () => {
    for (const operation of documented.operations) {
      const examples = Object.values(operation.requestBody?.content['text/csv']?.examples ?? {});
      for (const { value } of examples) {
        const reply = await sendFile(value, operation.path === '/import' ? undefined : await completePath(operation));
        const isPreview = operation.path === '/import/preview';
        expect([operation.name, reply.status, documented.undocumented(operation, reply)]).toEqual([
          operation.name,
          isPreview ? 200 : 202,
          [],
        ]);
      }
    }
  });

  it('documents the accepted and refused values of every field', async () => {
    let asked = 0;
    for (const operation of posts()) {
      const { schema, examples } = bodyOf(operation);
      // the fields of all examples
      const example: Body = Object.assign({}, ...Object.values(examples).map(({ value }) => value));
      for (const [field, described] of Object.entries(schema.properties)) {
        const values = valuesOf(described.anyOf?.[0] ?? described, example[field]);
        const optional = [
          ...(described.anyOf?.some(({ type }) => type === 'null') ? [null] : []),
          ...(schema.required.includes(field) ? [] : [undefined]),
        ];
        const { good } = values;
        const bad = values.bad.filter((value) => !optional.some((one) => one === value));
        for (const value of good) {
          const { status } = await ask(operation, await completePath(operation), await changed(example, field, value));
          expect([operation.name, field, value, status]).toEqual([
            operation.name,
            field,
            value,
            expect.toBeOneOf([200, 201, 202]),
          ]);
        }
        const refusedPath = await completePath(operation);
        for (const value of bad) {
          const { status, body } = await ask(operation, refusedPath, await changed(example, field, value));
          const message = expect.stringMatching(`^${field}: `);
          expect([operation.name, field, value, status, body]).toEqual([
            operation.name,
            field,
            value,
            400,
            { message },
          ]);
        }
        asked += good.length + bad.length;
      }
      const missing = await ask(operation, await completePath(operation), {});
      for (const field of schema.required)
        expect(missing.body).toEqual({ message: expect.stringContaining(`${field}: `) });
    }
    expect(asked).toBeGreaterThan(80);
  });

  it('documents the responses of every GET endpoint', async () => {
    const known: Readonly<Record<string, string>> = { externalReference: 'order-8731' };
    const client = await api.send('POST', '/api/v1/client', { key, body: { leadReference } });
    const conversion = await api.send('GET', '/api/v1/client/conversion?externalReference=order-8731', { key });
    const { body: imported } = await sendFile(
      'conversionExternalReference,clientExternalReference,amount,currency\no1,C1,1,USD\n',
    );
    const person = { clientExternalReference: 'customer-1042' };
    const { body: erasure } = await api.send('POST', '/api/v1/client/erasure', { key, body: person });
    const reconciliation = { id: await givenReconciliation() };
    const ids: Readonly<Record<string, unknown>> = {
      '/webhook/{id}/deliveries': { id: await webhook() },
      '/reconciliation/{id}': reconciliation,
      '/reconciliation/{id}/rows': reconciliation,
      '/reconciliation/{id}/rows.csv': reconciliation,
      '/import/{id}': imported,
      '/import/{id}/result.csv': imported,
      '/client/{id}': client.body,
      '/client/conversion/{id}': conversion.body,
      '/client/erasure/{id}': erasure,
    };
    for (const operation of documented.operations.filter(({ method }) => method === 'get')) {
      const record = ids[operation.path];
      const id = typeof record === 'object' && record !== null && 'id' in record ? String(record.id) : '';
      const path = operation.path.replace('{id}', id);
      const query = new URLSearchParams();
      for (const { in: index, name } of operation.parameters) if (index === 'query') query.set(name, known[name] ?? '');
      const { status } = await ask(operation, query.size === 0 ? path : `${path}?${query.toString()}`);
      expect([operation.name, status]).toEqual([operation.name, 200]);
    }
  });

  it('documents the responses to invalid and unknown ids', async () => {
    const ofIds = documented.operations.filter(({ path }) => path.includes('{id}'));
    expect(ofIds).toHaveLength(16);
    for (const operation of ofIds) {
      const [example] = operation.requestBody ? Object.values(bodyOf(operation).examples) : [];
      const { status, body } = await ask(
        operation,
        operation.path.replace('{id}', missingIdOf(operation)).replace('{deliveryId}', '1'),
        example?.value,
      );
      expect([status, body]).toEqual([404, refusalOf(operation, 404)]);
      expect(
        (await ask(operation, operation.path.replace('{id}', 'x').replace('{deliveryId}', 'x'), example?.value)).status,
      ).toBe(400);
    }
  });

  it('documents the responses to a missing key, a wrong media type and a body that is too large', async () => {
    for (const operation of documented.operations) {
      const path = documented.basePath + operation.path.replaceAll(/\{\w+\}/g, '1');
      const method = operation.method.toUpperCase();
      const body = operation.requestBody ? { body: {} } : {};
      const replies = [
        await api.send(method, path, { ...body }),
        await api.send(method, path, { ...body, key: 'wrong' }),
      ];
      if (operation.requestBody) {
        replies.push(
          await api.send(method, path, { key, body: 'x', headers: { 'content-type': 'text/plain' } }),
          await api.send(method, path, {
            key,
            ...tooLarge(operation),
          }),
        );
      }
      const statuses = replies.map(({ status }) => status);
      expect([operation.name, statuses]).toEqual([
        operation.name,
        operation.requestBody ? [401, 401, 415, 413] : [401, 401],
      ]);
      for (const reply of replies) expect(documented.undocumented(operation, reply)).toEqual([]);
      const [missing, , ...ofBody] = replies;
      for (const reply of [missing, ...ofBody]) expect(reply?.body).toEqual(refusalOf(operation, reply?.status ?? 0));
    }
  });

  it('documents every supported HTTP method', async () => {
    const paths = new Set(documented.operations.map(({ path }) => path));
    for (const path of paths) {
      const offered = documented.operations.filter((operation) => operation.path === path);
      const allow = offered
        .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase()))
        .toSorted();
      const url = documented.basePath + path.replaceAll(/\{\w+\}/g, '1');
      const { status, headers } = await api.send('PUT', url, { key });
      expect([path, status, headers.get('allow')?.split(', ').toSorted()]).toEqual([path, 405, allow]);
    }
  });

  it.each(sdkFiles)('has the SDK /docs/%s beside it, as text, without a key', async (file) => {
    const response = await fetch(`http://127.0.0.1:${api.port}/docs/${file}`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await response.text()).toBe(
      await readFile(join(import.meta.dirname, '..', 'src', 'documentation', 'sdk', file), 'utf8'),
    );
  });
});
