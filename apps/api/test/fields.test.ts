import { Client } from '@leadback/db';
import { givenAccount, givenApiKey, givenClient, givenLead, unique } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi, type TestApi } from './given-api.ts';

const created = z.object({ id: z.number() });

describe('a field', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await givenApi();
  });
  afterAll(() => api[Symbol.asyncDispose]());

  const givenPartner = async () => {
    const em = api.database.em();
    const account = await givenAccount(em);
    const { reference: leadReference } = await givenLead(em, { account });
    const key = await givenApiKey(em, { account });
    const register = (fields: object) =>
      api.send('POST', '/api/v1/client', { key, body: { leadReference, ...fields } });
    const convert = (fields: object) =>
      api.send('POST', '/api/v1/client/conversion', { key, body: { amount: 1, currency: 'USD', ...fields } });
    const stored = async (fields: object) =>
      api.database.em().findOneOrFail(Client, created.parse((await register(fields)).body).id);
    return { account, leadReference, register, convert, stored };
  };

  it.each([null, '', '   '])('that is optional reads as not sent when it is %j', async (nothing) => {
    const { register, stored } = await givenPartner();
    const fields = { name: nothing, email: nothing, phoneNumber: nothing, externalReference: nothing };
    const none = { name: null, email: null, phoneNumber: null, externalReference: null };
    expect(await stored(fields)).toMatchObject(none);
    // two clients without a reference are not the same
    expect((await register(fields)).status).toBe(201);
  });

  it('is trimmed, and otherwise kept as it was sent', async () => {
    const { stored } = await givenPartner();
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
  ])('%s may be %i characters long, after trimming, whatever bytes they take', async (field, longest) => {
    const { register } = await givenPartner();
    const emoji = '👩'.repeat(longest);
    expect((await register({ [field]: `  ${emoji}  ` })).status).toBe(201);
    const { status, body } = await register({ [field]: `${emoji}👩` });
    expect([status, body]).toEqual([400, { message: `${field}: longer than ${longest} characters` }]);
  });

  it('e-mail may be 254 characters long', async () => {
    const { register } = await givenPartner();
    expect((await register({ email: `${'a'.repeat(250)}@x.y` })).status).toBe(201);
    expect((await register({ email: `${'a'.repeat(251)}@x.y` })).body).toEqual({
      message: 'email: longer than 254 characters',
    });
  });

  it.each(['a@b', '"a"@x.y', 'ñandú@correo.ar', "o'hara+tag@x.example", 'a@[127.0.0.1]', '用户@例子.广告'])(
    'e-mail takes %s, for stricter rules turn real customers away',
    async (email) => {
      const { register } = await givenPartner();
      expect((await register({ email })).status).toBe(201);
    },
  );

  it.each(['a', '@', 'a@', '@b', 'a@b@c', 'a b@c', 'a@b c'])('e-mail refuses %s', async (email) => {
    const { register, convert } = await givenPartner();
    const message = 'email: expected an email address: one @, text on both sides, no spaces';
    for (const reply of [await register({ email }), await convert({ email })]) {
      expect([reply.status, reply.body]).toEqual([400, { message }]);
    }
  });

  it.each([
    ['case and blanks', '  ANA@X.Example '],
    ['composition of its letters', 'josé@x.example'.normalize('NFD')],
  ])('e-mail finds its client whatever the %s', async (_, email) => {
    const { account, convert } = await givenPartner();
    const em = api.database.em();
    await givenClient(em, { account, email: 'ana@x.example' });
    await givenClient(em, { account, email: 'josé@x.example' });
    expect((await convert({ email })).status).toBe(201);
  });

  it.each(['\u0000', 'a\nb', 'a\tb', '\u007f', '\u0085', '\ud800', 'a\udfff'])(
    'is refused with control characters or half a surrogate pair: %j',
    async (text) => {
      const { register } = await givenPartner();
      const { status, body } = await register({ name: text });
      expect([status, body]).toEqual([
        400,
        { message: expect.stringMatching(/^name: has (control characters|an unpaired surrogate)/) },
      ]);
    },
  );

  it.each(['__proto__', 'constructor', 'toString', 'accountId', 'id', 'isTest'])(
    'that nobody described is ignored: %s',
    async (field) => {
      const { account, leadReference, stored } = await givenPartner();
      const body = JSON.parse(`{"${field}": {"name": "polluted", "id": 999}, "name": "Ana"}`);
      expect(await stored(body)).toMatchObject({ name: 'Ana', account: { id: account.id }, lead: expect.anything() });
      expect(leadReference).toHaveLength(22);
      expect(Object.keys({})).toEqual([]);
    },
  );

  it.each([
    ['0', 201],
    ['-0', 201],
    ['0.004', 201],
    ['1e-400', 201],
    ['9999999999.99', 201],
    ['1e3', 201],
    ['9999999999.995', 400],
    ['1e400', 400],
    ['-0.01', 400],
    ['"10"', 400],
    ['null', 400],
    ['true', 400],
    ['[1]', 400],
    ['{}', 400],
  ])('amount %s is answered %i', async (amount, status) => {
    const em = api.database.em();
    const account = await givenAccount(em);
    await givenClient(em, { account, externalReference: 'C1' });
    const key = await givenApiKey(em, { account });
    const body = `{"amount":${amount},"currency":"USD","clientExternalReference":"C1"}`;
    const reply = await api.send('POST', '/api/v1/client/conversion', { key, body });
    expect([amount, reply.status]).toEqual([amount, status]);
  });

  it('is told together with all others that are wrong', async () => {
    const { convert } = await givenPartner();
    const { body } = await convert({
      amount: '1',
      currency: 'EUR',
      email: 'a',
      conversionExternalReference: unique('o').repeat(20),
    });
    expect(body).toEqual({
      message:
        'amount: expected a number; currency: expected USD or ARS; email: expected an email address: one @, text on both sides, no spaces; conversionExternalReference: longer than 255 characters',
    });
  });
});
