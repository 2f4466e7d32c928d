import { readClient } from '@leadback/core/clients/read';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import { givenContacts, givenLead, secretsKeys, shared, unique } from '@leadback/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { givenApi, givenPartner, idOf } from './given-api.ts';

/** A genuine reference without a lead. */
const genuine = () => issueLeadReference(leadReferenceKeys(secretsKeys));

const api = await shared(givenApi());

const landingApps = (values: string) =>
  api.database.pool.query(`insert into landing_instance (id, seen_at, is_behind) values ${values}`);

describe('POST /client', () => {
  it('answers 201 with the id of a new client', async () => {
    const { register } = await givenPartner(api);
    const { status, body } = await register({ name: 'Ana', email: 'ana@x.example', nobodyKnows: 1 });
    expect([status, body]).toEqual([201, { id: expect.any(Number) }]);
  });

  it('answers 200 with the id of the client with the external reference, whatever else is sent', async () => {
    const { register } = await givenPartner(api);
    const externalReference = unique('client');
    const first = await register({ externalReference });
    const again = await register({ leadReference: 'unknown', externalReference, email: 'other@x.example' });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it('answers concurrent equal registrations with one 201, and with 200 and the same id', async () => {
    const { register } = await givenPartner(api);
    const input = { externalReference: unique('client') };
    const replies = await Promise.all(Array.from({ length: 1000 }, () => register(input)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(999);
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('answers 404 alike for an unknown lead and a lead of another account', async () => {
    const { register } = await givenPartner(api);
    const { leadReference } = await givenPartner(api);
    const replies = [await register({ leadReference }), await register({ leadReference: genuine() })];
    for (const { status, body } of replies) {
      expect([status, body]).toEqual([404, { message: 'leadReference: no lead of this account has this reference' }]);
    }
  });

  it('adds the lead of a known client that clicks again, and the contact data that it lacks', async () => {
    const { account, register } = await givenPartner(api);
    const mode = { accountId: account.id, isTest: false };
    const externalReference = unique('client');
    const first = await register({ externalReference, email: 'ana@x.example' });
    const { id: leadId, reference } = await givenLead(api.database.em(), { account });
    const sent = { leadReference: reference, externalReference, email: 'eva@x.example', phoneNumber: '11 2345-6789' };
    const replies = await Promise.all(Array.from({ length: 20 }, () => register(sent)));
    for (const { status, body } of replies) expect([status, body]).toEqual([200, first.body]);
    const { rows } = await api.database.pool.query('select lead_id::int from client_lead where client_id = $1', [
      idOf(first),
    ]);
    expect(rows).toEqual([{ lead_id: leadId }]);
    expect(await readClient(api.database.pool, givenContacts(), { ...mode, id: idOf(first) })).toMatchObject({
      email: 'ana@x.example',
      phoneNumber: '11 2345-6789',
    });
  });

  describe('while a landing app has buffered leads', () => {
    afterEach(() => api.database.pool.query('delete from landing_instance'));

    it('answers 503 for the new lead of a known client, and 200 once it is recorded or if it is damaged', async () => {
      const { account, register } = await givenPartner(api);
      const externalReference = unique('client');
      const first = await register({ externalReference });
      await landingApps(`('a', now(), true)`);
      const lead = { reference: genuine() };
      const headers = { 'idempotency-key': unique('key') };
      const again = () => register({ externalReference, leadReference: lead.reference }, { headers });
      expect((await again()).status).toBe(503);
      expect((await register({ externalReference, leadReference: 'damaged' })).status).toBe(200);
      await givenLead(api.database.em(), { account, ...lead });
      expect(await again()).toMatchObject({ status: 200, body: first.body });
    });

    it.each([
      ['reports buffered leads', `('a', now(), true), ('b', now(), false)`],
      ['has been silent for some seconds', `('a', now() - interval '4 s', false)`],
    ])('answers 503 for an unknown lead while a landing app %s', async (_, instances) => {
      const { register } = await givenPartner(api);
      await landingApps(instances);
      const later = await register({ leadReference: genuine() }, { headers: { 'idempotency-key': unique('key') } });
      expect([later.status, later.headers.get('retry-after')]).toEqual([503, '5']);
      expect(later.body).toEqual({
        message: 'leadReference: lead not available yet; retry after some seconds',
      });
      expect((await register({ leadReference: 'damaged' })).status).toBe(404);
      expect((await register({ leadReference: (await givenPartner(api)).leadReference })).status).toBe(404);
      expect((await register()).status).toBe(201);
    });

    it.each([
      ['has recorded all leads', `('a', now() + interval '1 min', false)`],
      ['has been silent for an hour', `('a', now() - interval '61 min', true)`],
    ])('answers 404 for an unknown lead once each landing app %s', async (_, instances) => {
      const { register } = await givenPartner(api);
      await landingApps(instances);
      expect((await register({ leadReference: genuine() })).status).toBe(404);
    });

    it('registers the client with the same Idempotency-Key once the lead is recorded', async () => {
      const { account, register } = await givenPartner(api);
      await landingApps(`('a', now(), true)`);
      const lead = { reference: genuine() };
      const headers = { 'idempotency-key': unique('key') };
      expect((await register({ leadReference: lead.reference }, { headers })).status).toBe(503);
      await givenLead(api.database.em(), { account, ...lead });
      expect((await register({ leadReference: lead.reference }, { headers })).status).toBe(201);
    });
  });

  it.each(['{serviceId}', 'abc', 'xY'.repeat(11)])('reports the damaged lead reference %s', async (leadReference) => {
    const { register } = await givenPartner(api);
    const { status, body } = await register({ leadReference });
    expect([status, body]).toEqual([
      404,
      { message: 'leadReference: not a reference that we issued; pass on the value of serviceId whole and unchanged' },
    ]);
  });

  it.each([
    ['with a fragment', (reference: string) => `${reference}#form`],
    ['with more parameters', (reference: string) => `${reference}&utm_source=x`],
    ['in quotes', (reference: string) => `"${reference}"`],
    ['as a parameter', (reference: string) => `?serviceid=${reference}`],
    [
      'as an address',
      (reference: string) => `https://shop.example/Abcdefghijklmnopqrstuv?serviceId=${reference}&x=1#form`,
    ],
    ['with characters that nobody sees', (reference: string) => `\u2066${reference}\u200b\n`],
  ])('finds the lead reference %s', async (_, sent) => {
    const { account, register } = await givenPartner(api);
    const lead = await givenLead(api.database.em(), { account, reference: genuine() });
    expect((await register({ leadReference: sent(lead.reference) })).status).toBe(201);
  });

  it('says that a lead reference has lost the case of its letters', async () => {
    const { register } = await givenPartner(api);
    for (const leadReference of [genuine().toLowerCase(), genuine().toUpperCase()]) {
      const { status, body } = await register({ leadReference });
      expect([status, body]).toEqual([404, { message: expect.stringContaining('lost their case') }]);
    }
  });

  it.each([
    'ana@x.example, luis@x.example',
    'luis; ana@x.example;luis@x.example',
    'Ana García <ana@x.example>',
    '"García, Ana" <ana@x.example>',
    'mailto:ana@x.example',
    '\u202aana@x.example\u202c\n',
  ])('finds the client by the first email address in %j', async (email) => {
    const { register, convert } = await givenPartner(api);
    const client = await register({ email });
    expect(client.status).toBe(201);
    const sale = { amount: 1, currency: 'USD', email: 'ana@x.example' };
    expect((await convert(sale)).status).toBe(201);
  });

  it.each(['ana @x.example', 'none', '5491123456789'])('keeps the client whose email is %j', async (email) => {
    const { account, register, convert } = await givenPartner(api);
    const mode = { accountId: account.id, isTest: false };
    const client = await register({ email, externalReference: 1042, phoneNumber: 5_491_123_456_789 });
    expect(client.status).toBe(201);
    const kept = { email, externalReference: '1042', phoneNumber: '5491123456789' };
    expect(await readClient(api.database.pool, givenContacts(), { ...mode, id: idOf(client) })).toMatchObject(kept);
    const sale = { amount: 1, currency: 'USD', clientExternalReference: 1042, email, conversionExternalReference: 7 };
    expect((await convert(sale)).status).toBe(201);
  });

  it.each([
    [{}, 'leadReference: expected a string'],
    [{ leadReference: '  ' }, 'leadReference: must not be empty'],
    [
      { leadReference: 7, email: true, externalReference: 1.5 },
      'leadReference: expected a string; email: expected a string; externalReference: expected a string',
    ],
    [{ leadReference: 'R', name: 'x'.repeat(201) }, 'name: longer than 200 characters'],
    [{ leadReference: 'R', phoneNumber: '1\u0000' }, 'phoneNumber: has control characters'],
    [[], 'body: expected a JSON object'],
    ['"text"', 'body: expected a JSON object'],
    ['{"leadReference":', 'body: expected valid JSON'],
  ])('answers 400 to the client %j and names the field', async (input, message) => {
    const { post } = await givenPartner(api);
    const { status, body } = await post('/client', input);
    expect([status, body]).toEqual([400, { message }]);
  });

  it('registers any number of clients for one lead', async () => {
    const { register } = await givenPartner(api);
    const replies = [await register(), await register({ externalReference: unique('client') })];
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
    const { post } = await givenPartner(api);
    const reply = await post('/client', body, { headers: { 'content-type': type } });
    expect([reply.status, reply.body]).toEqual([status, { message }]);
  });
});

/** A partner that reads what is stored of a client that it registers. */
const given = async () => {
  const partner = await givenPartner(api);
  const mode = { accountId: partner.account.id, isTest: false };
  const stored = async (fields: object) =>
    readClient(api.database.pool, givenContacts(), { ...mode, id: idOf(await partner.register(fields)) });
  return { ...partner, stored };
};

describe('a field of a client', () => {
  it.each([null, '', '   '])('treats %j in an optional field as not sent', async (nothing) => {
    const { register, stored } = await given();
    const fields = { name: nothing, email: nothing, phoneNumber: nothing, externalReference: nothing };
    const none = { name: null, email: null, phoneNumber: null, externalReference: null };
    expect(await stored(fields)).toMatchObject(none);
    // clients without a reference are not the same client
    expect((await register(fields)).status).toBe(201);
  });

  it('trims fields and otherwise stores them as sent', async () => {
    const { stored } = await given();
    const client = await stored({
      name: '  Ana  de la O ',
      email: ' Ana@X.Example ',
      phoneNumber: ' (011) 15-2345 x7 ',
    });
    expect(client).toMatchObject({ name: 'Ana  de la O', email: 'Ana@X.Example', phoneNumber: '(011) 15-2345 x7' });
  });

  it.each([
    ['name', 200],
    ['phoneNumber', 40],
    ['externalReference', 255],
  ])('accepts %s of up to %i characters after trimming, regardless of bytes', async (field, longest) => {
    const { register } = await given();
    const emoji = '👩'.repeat(longest);
    expect((await register({ [field]: `  ${emoji}  ` })).status).toBe(201);
    const { status, body } = await register({ [field]: `${emoji}👩` });
    expect([status, body]).toEqual([400, { message: `${field}: longer than ${longest} characters` }]);
  });

  it('accepts email addresses of up to 254 characters', async () => {
    const { register } = await given();
    expect((await register({ email: `${'a'.repeat(250)}@x.y` })).status).toBe(201);
    expect((await register({ email: `${'a'.repeat(251)}@x.y` })).body).toEqual({
      message: 'email: longer than 254 characters',
    });
  });

  it.each(['__proto__', 'constructor', 'toString', 'accountId', 'id', 'isTest'])(
    'ignores the undocumented field %s',
    async (field) => {
      const { leadReference, stored } = await given();
      const body = JSON.parse(`{"${field}": {"name": "polluted", "id": 999}, "name": "Ana"}`);
      // the client of this account and lead
      expect(await stored(body)).toMatchObject({ name: 'Ana', leadReference });
      expect(leadReference).toHaveLength(22);
      expect(Object.keys({})).toEqual([]);
    },
  );
});
