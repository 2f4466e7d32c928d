import type { PlatformName } from '@leadback/domain';
import { adviceTexts } from '@leadback/core/quality/quality';
import { givenAccount, givenApiKey, givenClient, givenConnection, givenLead, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from './given-api.ts';

const responseSchema = z.object({ id: z.number(), warnings: z.array(z.string()) });
const { email, phone, externalId, click, consent, time } = adviceTexts;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describe('warnings to testers', async () => {
  const api = await shared(givenApi());

  const givenTester = async (platforms: readonly PlatformName[] = []) => {
    const em = api.database.em();
    const account = await givenAccount(em);
    for (const platform of platforms) await givenConnection(em, { account, platform });
    const key = await givenApiKey(em, { account, isTest: true });
    const post = (path: string, body: unknown, headers = {}, apiKey = key) =>
      api.send('POST', `/api/v1${path}`, { key: apiKey, body, headers });
    const warned = async (...request: Parameters<typeof post>) =>
      responseSchema.parse((await post(...request)).body).warnings;
    /** Warnings about a client with this lead. */
    const client = async (fields: object, lead: Parameters<typeof givenLead>[1] = {}) => {
      const { reference: leadReference } = await givenLead(api.database.em(), { ...lead, account });
      return warned('/client', { leadReference, ...fields });
    };
    return { account, post, warned, client };
  };
  const complete = { email: 'ana@x.example', phoneNumber: '011 2345-6789', externalReference: 'c-1' };
  const clicked = { clickParameters: { gclid: 'CjwK' } };

  it('warns of everything that a client lacks, and of nothing if it is complete', async () => {
    const { client } = await givenTester();
    expect(await client({})).toEqual([email, phone, externalId, click]);
    expect(await client(complete, clicked)).toEqual([]);
    expect(await client({ ...complete, externalReference: 'c-2' })).toEqual([click]);
  });

  it('warns of a phone number that cannot be read in the country of the account, without quoting it', async () => {
    const { client } = await givenTester();
    const [warning, ...others] = await client({ ...complete, phoneNumber: '555-1212' }, clicked);
    expect(others).toEqual([]);
    expect(warning).toMatch(/^`phoneNumber` is not a valid number of your account's country \(AR\)/);
    expect(warning).not.toContain('1212');
  });

  it('warns of a reference that is an email, by the name of its field and without quoting it', async () => {
    const { client, warned } = await givenTester();
    const externalReference = `${unique('ana')}@x.example`;
    const [warning, ...others] = await client({ ...complete, externalReference }, clicked);
    expect(others).toEqual([]);
    expect(warning).toMatch(/^`externalReference` is an email/);
    expect(warning).not.toContain('@');
    const conversion = { amount: 1, currency: 'USD', clientExternalReference: externalReference };
    const ofOrder = await warned('/client/conversion', { ...conversion, conversionExternalReference: 'bo@x.example' });
    expect(ofOrder.filter((one) => one.includes('is an email'))).toEqual([
      expect.stringMatching(/^`clientExternalReference` /),
      expect.stringMatching(/^`conversionExternalReference` /),
    ]);
  });

  it('warns of nothing that the platforms of the account do not match by', async () => {
    const { client } = await givenTester(['linkedin']);
    expect(await client({ phoneNumber: '1' })).toEqual([email, click]);
    expect(await client(complete, clicked)).toEqual([click]);
    expect(await client({}, { clickParameters: { li_fat_id: 'df5gf5-gh6t7' } })).toEqual([email]);
  });

  it('takes contact data of the landing page into account only if the visitor agreed to sharing', async () => {
    const { client } = await givenTester();
    const left = { ...clicked, email: 'ana@x.example', phone: '011 2345-6789' };
    const externalReference = unique('client');
    expect(await client({ externalReference }, { ...left, consent: true })).toEqual([]);
    expect(await client({ externalReference: unique('client') }, left)).toEqual([email, phone]);
  });

  it('warns about the client of a conversion, and of a request that cannot be retried safely', async () => {
    const { account, warned } = await givenTester();
    await givenClient(api.database.em(), { account, isTest: true, externalReference: 'c-1', lead: clicked });
    const sale = { amount: 1, currency: 'USD', clientExternalReference: 'c-1' };
    const [safeRetry, ...others] = await warned('/client/conversion', sale);
    expect(safeRetry).toContain('`Idempotency-Key`');
    expect(others).toEqual([email, phone]);
    expect(await warned('/client/conversion', { ...sale, conversionExternalReference: 'o-1' })).toEqual([email, phone]);
    expect(await warned('/client/conversion', sale, { 'idempotency-key': unique('key') })).toEqual([email, phone]);
  });

  it('warns of visitors who refused consent, and then of nothing that they lack', async () => {
    const { account, client, warned } = await givenTester();
    expect(await client({}, { consent: false })).toEqual([consent]);
    const lead = { consent: false };
    await givenClient(api.database.em(), { account, isTest: true, externalReference: 'c-1', lead });
    const sale = { amount: 1, currency: 'USD', clientExternalReference: 'c-1', conversionExternalReference: 'o-1' };
    expect(await warned('/client/conversion', sale)).toEqual([consent]);
  });

  it('warns of a conversion that is too old for a platform of the account, and only of keys of the others', async () => {
    const { account, warned } = await givenTester(['meta', 'linkedin']);
    await givenClient(api.database.em(), { account, isTest: true, externalReference: 'c-1' });
    const sale = { amount: 1, currency: 'USD', clientExternalReference: 'c-1' };
    const ofAge = (days: number) =>
      warned('/client/conversion', { ...sale, conversionExternalReference: `${days}`, occurredAt: daysAgo(days) });
    expect(await ofAge(6)).toEqual([email, phone, click]);
    expect(await ofAge(8)).toEqual([time, email, click]);
    expect(await ofAge(91)).toEqual([time]);
  });

  it('repeats the warnings to a repeated request', async () => {
    const { account, warned } = await givenTester();
    const { reference: leadReference } = await givenLead(api.database.em(), { account });
    const headers = { 'idempotency-key': unique('key') };
    const first = await warned('/client', { leadReference }, headers);
    expect(await warned('/client', { leadReference }, headers)).toEqual(first);
  });

  it('leaves responses to live keys as they are', async () => {
    const { account, post } = await givenTester();
    const live = await givenApiKey(api.database.em(), { account });
    const { reference: leadReference } = await givenLead(api.database.em(), { account });
    const client = await post('/client', { leadReference, externalReference: 'c-1' }, {}, live);
    const again = await post('/client', { leadReference, externalReference: 'c-1' }, {}, live);
    const sale = { amount: 1, currency: 'USD', clientExternalReference: 'c-1' };
    const conversion = await post('/client/conversion', sale, {}, live);
    expect(Object.keys(z.object({}).loose().parse(client.body))).toEqual(['id']);
    expect(again.body).toEqual(client.body);
    expect(Object.keys(z.object({}).loose().parse(conversion.body))).toEqual(['id', 'leadId']);
  });
});
