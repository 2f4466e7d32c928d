import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import { givenAccount, givenApiKey, givenLead, secretsKeys, unique, shared } from '@leadback/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';

/** A genuine reference without a lead. */
const genuine = () => issueLeadReference(leadReferenceKeys(secretsKeys));

describe('POST /client', async () => {
  const api = await shared(givenApi());

  const landingApps = (values: string) =>
    api.database.pool.query(`insert into landing_instance (id, seen_at, is_behind) values ${values}`);

  /** A partner with a lead. */
  const givenPartner = async () => {
    const em = api.database.em();
    const account = await givenAccount(em);
    const { reference } = await givenLead(em, { account });
    const key = await givenApiKey(em, { account });
    const post = (body: unknown, headers?: Record<string, string>) =>
      api.send('POST', '/api/v1/client', { key, body, ...(headers && { headers }) });
    return { account, leadReference: reference, key, post };
  };

  it('answers 201 with the id of a new client', async () => {
    const { leadReference, post } = await givenPartner();
    const { status, body } = await post({ leadReference, name: 'Ana', email: 'ana@x.example', nobodyKnows: 1 });
    expect([status, body]).toEqual([201, { id: expect.any(Number) }]);
  });

  it('answers 200 with the id of the client with the external reference, whatever else is sent', async () => {
    const { leadReference, post } = await givenPartner();
    const externalReference = unique('client');
    const first = await post({ leadReference, externalReference });
    const again = await post({ leadReference: 'unknown', externalReference, email: 'other@x.example' });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it('answers concurrent equal registrations with one 201, and with 200 and the same id', async () => {
    const { leadReference, post } = await givenPartner();
    const input = { leadReference, externalReference: unique('client') };
    const replies = await Promise.all(Array.from({ length: 1000 }, () => post(input)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(999);
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('answers 404 alike for an unknown lead and a lead of another account', async () => {
    const { post } = await givenPartner();
    const foreign = await givenPartner();
    const replies = [await post({ leadReference: foreign.leadReference }), await post({ leadReference: genuine() })];
    for (const { status, body } of replies) {
      expect([status, body]).toEqual([404, { message: 'leadReference: no lead of this account has this reference' }]);
    }
  });

  describe('while a landing app has buffered leads', () => {
    afterEach(() => api.database.pool.query('delete from landing_instance'));

    it.each([
      ['reports buffered leads', `('a', now(), true), ('b', now(), false)`],
      ['has been silent for some seconds', `('a', now() - interval '4 s', false)`],
    ])('answers 503 for an unknown lead while a landing app %s', async (_, instances) => {
      const { leadReference, post } = await givenPartner();
      await landingApps(instances);
      const later = await post({ leadReference: genuine() }, { 'idempotency-key': unique('key') });
      expect([later.status, later.headers.get('retry-after')]).toEqual([503, '5']);
      expect(later.body).toEqual({
        message: 'leadReference: lead not available yet; retry after some seconds',
      });
      expect((await post({ leadReference: 'damaged' })).status).toBe(404);
      expect((await post({ leadReference: (await givenPartner()).leadReference })).status).toBe(404);
      expect((await post({ leadReference })).status).toBe(201);
    });

    it.each([
      ['has recorded all leads', `('a', now() + interval '1 min', false)`],
      ['has been silent for an hour', `('a', now() - interval '61 min', true)`],
    ])('answers 404 for an unknown lead once each landing app %s', async (_, instances) => {
      const { post } = await givenPartner();
      await landingApps(instances);
      expect((await post({ leadReference: genuine() })).status).toBe(404);
    });

    it('registers the client with the same Idempotency-Key once the lead is recorded', async () => {
      const { account, post } = await givenPartner();
      await landingApps(`('a', now(), true)`);
      const lead = { reference: genuine() };
      const headers = { 'idempotency-key': unique('key') };
      expect((await post({ leadReference: lead.reference }, headers)).status).toBe(503);
      await givenLead(api.database.em(), { account, ...lead });
      expect((await post({ leadReference: lead.reference }, headers)).status).toBe(201);
    });
  });

  it.each(['{serviceId}', 'abc', 'x'.repeat(22)])('reports the damaged lead reference %s', async (leadReference) => {
    const { post } = await givenPartner();
    const { status, body } = await post({ leadReference });
    expect([status, body]).toEqual([
      404,
      { message: 'leadReference: not a reference that we issued; pass on the value of serviceId whole and unchanged' },
    ]);
  });

  it.each([
    [{}, 'leadReference: expected a string'],
    [{ leadReference: '  ' }, 'leadReference: must not be empty'],
    [
      { leadReference: 7, email: 'ana' },
      'leadReference: expected a string; email: expected an email address: one @, text on both sides, no spaces',
    ],
    [{ leadReference: 'R', name: 'x'.repeat(201) }, 'name: longer than 200 characters'],
    [{ leadReference: 'R', phoneNumber: '1\u0000' }, 'phoneNumber: has control characters'],
    [[], 'body: expected a JSON object'],
    ['"text"', 'body: expected a JSON object'],
    ['{"leadReference":', 'body: expected valid JSON'],
  ])('answers 400 to the client %j and names the field', async (input, message) => {
    const { post } = await givenPartner();
    const { status, body } = await post(input);
    expect([status, body]).toEqual([400, { message }]);
  });

  it('registers any number of clients for one lead', async () => {
    const { leadReference, post } = await givenPartner();
    const replies = [await post({ leadReference }), await post({ leadReference, externalReference: unique('client') })];
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(replies[0]?.body).not.toEqual(replies[1]?.body);
  });

  it.each([
    [
      'latin-1',
      Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]),
      'application/json',
      400,
      'body: not valid UTF-8',
    ],
    [
      'utf-16',
      Buffer.from('{}', 'utf16le'),
      'application/json; charset=utf-16',
      415,
      'Content-Type: expected charset utf-8',
    ],
  ])('refuses a body in %s', async (_, body, type, status, message) => {
    const { key } = await givenPartner();
    const reply = await api.send('POST', '/api/v1/client', { key, body, headers: { 'content-type': type } });
    expect([reply.status, reply.body]).toEqual([status, { message }]);
  });
});
