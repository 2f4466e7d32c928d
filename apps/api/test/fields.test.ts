import { readClient } from '@leadback/core/clients/read';
import { currencies } from '@leadback/domain';
import { givenContacts, givenAccount, givenApiKey, givenClient, givenLead, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from './given-api.ts';

const created = z.object({ id: z.number() });

describe('a field', async () => {
  const api = await shared(givenApi());

  const givenPartner = async () => {
    const em = api.database.em();
    const account = await givenAccount(em);
    const { reference: leadReference } = await givenLead(em, { account });
    const key = await givenApiKey(em, { account });
    const register = (fields: object) =>
      api.send('POST', '/api/v1/client', { key, body: { leadReference, ...fields } });
    const convert = (fields: object) =>
      api.send('POST', '/api/v1/client/conversion', { key, body: { amount: 1, currency: 'USD', ...fields } });
    const stored = async (fields: object) => {
      const { id } = created.parse((await register(fields)).body);
      return readClient(api.database.pool, givenContacts(), { accountId: account.id, isTest: false, id });
    };
    return { account, leadReference, register, convert, stored };
  };

  it.each([null, '', '   '])('treats %j in an optional field as not sent', async (nothing) => {
    const { register, stored } = await givenPartner();
    const fields = { name: nothing, email: nothing, phoneNumber: nothing, externalReference: nothing };
    const none = { name: null, email: null, phoneNumber: null, externalReference: null };
    expect(await stored(fields)).toMatchObject(none);
    // clients without a reference are not the same client
    expect((await register(fields)).status).toBe(201);
  });

  it('trims fields and otherwise stores them as sent', async () => {
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
  ])('accepts %s of up to %i characters after trimming, regardless of bytes', async (field, longest) => {
    const { register } = await givenPartner();
    const emoji = '👩'.repeat(longest);
    expect((await register({ [field]: `  ${emoji}  ` })).status).toBe(201);
    const { status, body } = await register({ [field]: `${emoji}👩` });
    expect([status, body]).toEqual([400, { message: `${field}: longer than ${longest} characters` }]);
  });

  it('accepts email addresses of up to 254 characters', async () => {
    const { register } = await givenPartner();
    expect((await register({ email: `${'a'.repeat(250)}@x.y` })).status).toBe(201);
    expect((await register({ email: `${'a'.repeat(251)}@x.y` })).body).toEqual({
      message: 'email: longer than 254 characters',
    });
  });

  it.each(['a@b', '"a"@x.y', 'ñandú@correo.ar', "o'hara+tag@x.example", 'a@[127.0.0.1]', '用户@例子.广告'])(
    'accepts the unusual email address %s',
    async (email) => {
      const { register } = await givenPartner();
      expect((await register({ email })).status).toBe(201);
    },
  );

  it.each(['a', '@', 'a@', '@b', 'a@b@c', 'a b@c', 'a@b c'])('refuses the email address %s', async (email) => {
    const { register, convert } = await givenPartner();
    const message = 'email: expected an email address: one @, text on both sides, no spaces';
    for (const reply of [await register({ email }), await convert({ email })]) {
      expect([reply.status, reply.body]).toEqual([400, { message }]);
    }
  });

  it.each([
    ['case and spaces', '  ANA@X.Example '],
    ['Unicode composition', 'josé@x.example'.normalize('NFD')],
  ])('finds a client by email regardless of %s', async (_, email) => {
    const { account, convert } = await givenPartner();
    const em = api.database.em();
    await givenClient(em, { account, email: 'ana@x.example' });
    await givenClient(em, { account, email: 'josé@x.example' });
    expect((await convert({ email })).status).toBe(201);
  });

  it.each(['\u0000', 'a\nb', 'a\tb', '\u007f', '\u0085', '\ud800', 'a\udfff'])(
    'refuses text with control characters or unpaired surrogates: %j',
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
    'ignores the undocumented field %s',
    async (field) => {
      const { leadReference, stored } = await givenPartner();
      const body = JSON.parse(`{"${field}": {"name": "polluted", "id": 999}, "name": "Ana"}`);
      // the client of this account and lead
      expect(await stored(body)).toMatchObject({ name: 'Ana', leadReference });
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
  ])('responds to the amount %s with status %i', async (amount, status) => {
    const em = api.database.em();
    const account = await givenAccount(em);
    await givenClient(em, { account, externalReference: 'C1' });
    const key = await givenApiKey(em, { account });
    const body = `{"amount":${amount},"currency":"USD","clientExternalReference":"C1"}`;
    const reply = await api.send('POST', '/api/v1/client/conversion', { key, body });
    expect([amount, reply.status]).toEqual([amount, status]);
  });

  it('reports all invalid fields together', async () => {
    const { convert } = await givenPartner();
    const { body } = await convert({
      amount: '1',
      currency: 'EUR',
      email: 'a',
      conversionExternalReference: unique('o').repeat(20),
    });
    expect(body).toEqual({
      message: `amount: expected a number; currency: expected ${currencies.join(' or ')}; email: expected an email address: one @, text on both sides, no spaces; conversionExternalReference: longer than 255 characters`,
    });
  });
});
