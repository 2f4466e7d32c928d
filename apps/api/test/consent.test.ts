import { erasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { itemRegistrars, workOnNextImport } from '@leadback/core/imports/work';
import type { AccountId } from '@leadback/domain';
import { leadReferenceKeys } from '@leadback/domain/keys';
import { givenContacts, secretsKeys, shared, unique } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi, givenPartner, idOf } from './given-api.ts';

const granted = { adUserData: 'granted', adPersonalization: 'granted' } as const;
const [both, neither] = [
  [true, true],
  [false, false],
];
const rowSchema = z.object({ words: z.tuple([z.boolean().nullable(), z.boolean().nullable()]) });

describe('consent that an advertiser tells', async () => {
  const api = await shared(givenApi());

  /** Of the client with a reference: sharing and personalisation. */
  const toldOf = async (accountId: AccountId, reference: string) => {
    const sql = `select json_build_array(ad_user_data, ad_personalization) as words from client
                 where account_id = $1 and coalesce(external_reference, test_reference) = $2`;
    const { rows } = await api.database.pool.query(sql, [accountId, reference]);
    return rowSchema.parse(rows[0]).words;
  };

  it.each([
    [{ adUserData: 'granted' }, [true, null]],
    [{ adUserData: 'granted', adPersonalization: 'denied' }, [true, false]],
    [{ adUserData: ' GRANTED ', adPersonalization: 'Denied' }, [true, false]],
    [{ adUserData: 'denied', adPersonalization: null }, [false, null]],
    [{ adPersonalization: 'denied' }, [null, false]],
    [{}, [null, null]],
    [null, [null, null]],
  ])('is kept with a client and with a sale: %j', async (consent, words) => {
    const { account, register, convert } = await givenPartner(api);
    const externalReference = unique('customer');
    expect((await register({ externalReference, consent })).status).toBe(201);
    expect(await toldOf(account.id, externalReference)).toEqual(words);
    expect((await convert({ clientExternalReference: 'C1', consent })).status).toBe(201);
    expect(await toldOf(account.id, 'C1')).toEqual(words);
  });

  it.each([
    [true, 'consent: expected an object such as {"adUserData": "granted"}'],
    ['granted', 'consent: expected an object such as {"adUserData": "granted"}'],
    [[], 'consent: expected an object such as {"adUserData": "granted"}'],
    [{ adUserData: true }, 'consent.adUserData: expected granted or denied'],
    [{ adUserData: '' }, 'consent.adUserData: expected granted or denied'],
    [{ adPersonalization: 'unknown' }, 'consent.adPersonalization: expected granted or denied'],
    [{ adPersonalization: { a: 1 } }, 'consent.adPersonalization: expected granted or denied'],
  ])('is refused if it could mean anything: %j', async (consent, message) => {
    const { account, register, convert } = await givenPartner(api);
    for (const reply of [await register({ consent }), await convert({ clientExternalReference: 'C1', consent })]) {
      expect([reply.status, reply.body]).toEqual([400, { message }]);
    }
    expect(await toldOf(account.id, 'C1')).toEqual([null, null]);
  });

  it('is taken back by the next word for a known client, and not by silence', async () => {
    const { account, register } = await givenPartner(api);
    const externalReference = 'C1';
    for (const [consent, words] of [
      [granted, both],
      [undefined, both],
      [{ adUserData: 'denied' }, [false, true]],
      [{}, [false, true]],
      [granted, both],
    ] as const) {
      expect((await register({ externalReference, consent })).status).toBe(200);
      expect(await toldOf(account.id, externalReference)).toEqual(words);
    }
  });

  it('is told once with an idempotency key, however often the request is sent', async () => {
    const { account, convert, register } = await givenPartner(api);
    const headers = { 'idempotency-key': unique('key') };
    const first = await convert({ clientExternalReference: 'C1', consent: granted }, { headers });
    await register({ externalReference: 'C1', consent: { adUserData: 'denied', adPersonalization: 'denied' } });
    const again = await convert({ clientExternalReference: 'C1', consent: granted }, { headers });
    expect([again.status, idOf(again)]).toEqual([201, idOf(first)]);
    expect(await toldOf(account.id, 'C1')).toEqual(neither);
    const other = await convert({ clientExternalReference: 'C1', consent: {} }, { headers });
    expect(other.status).toBe(422);
  });

  it('comes with each item of a batch; of one client the last item counts, and a refused item says nothing', async () => {
    const { account, clients, conversions, leadReference } = await givenPartner(api);
    const sale = { clientExternalReference: 'C1', amount: 1, currency: 'USD' };
    await clients([
      { leadReference, externalReference: 'B1', consent: granted },
      { leadReference, externalReference: 'B2', consent: { adUserData: 'denied' } },
      { leadReference, externalReference: 'B1', consent: { adPersonalization: 'denied' } },
    ]);
    expect(await toldOf(account.id, 'B1')).toEqual([true, false]);
    expect(await toldOf(account.id, 'B2')).toEqual([false, null]);
    await conversions([
      { ...sale, conversionExternalReference: 'o1', consent: { adUserData: 'denied' } },
      { ...sale, conversionExternalReference: 'o2', consent: granted },
      { ...sale, conversionExternalReference: 'o1', consent: { adUserData: 'denied' } },
      { ...sale, conversionExternalReference: 'o3', currency: 'EUR', consent: { adUserData: 'denied' } },
    ]);
    expect(await toldOf(account.id, 'C1')).toEqual(both);
  });

  it('comes in columns of a file', async () => {
    const { account, key } = await givenPartner(api);
    const file = [
      'conversionExternalReference,clientExternalReference,amount,currency,adUserData,adPersonalization',
      'o1,C1,10,USD,Granted,DENIED',
      'o2,C1,10,USD,,',
      'o3,C1,10,USD,maybe,',
    ].join('\n');
    const headers = { 'content-type': 'text/csv' };
    const registrars = itemRegistrars(leadReferenceKeys(secretsKeys), givenContacts());
    const denied = file.replace('o2,C1,10,USD,,', 'o2,C1,10,USD,denied,');
    const tried = await api.send('POST', '/api/v1/import?of=conversion&dryRun=true', { key, body: denied, headers });
    await workOnNextImport(api.database.pool, registrars);
    const { rows } = await api.database.pool.query('select counts, unshared from import where id = $1', [idOf(tried)]);
    expect(rows).toMatchObject([{ counts: { created: 2 }, unshared: 1 }]);
    expect(await toldOf(account.id, 'C1')).toEqual([null, null]);
    const sent = await api.send('POST', '/api/v1/import?of=conversion', { key, body: file, headers });
    expect(sent.status).toBe(202);
    const step = await workOnNextImport(api.database.pool, registrars);
    expect(step?.rows.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['created', undefined],
      ['created', undefined],
      ['refused', 'consent.adUserData: expected granted or denied'],
    ]);
    expect(await toldOf(account.id, 'C1')).toEqual([true, false]);
  });

  it('is erased with the client', async () => {
    const { client, register, post } = await givenPartner(api);
    await register({ externalReference: 'C1', consent: granted });
    expect((await post('/client/erasure', { clientExternalReference: 'C1' })).status).toBe(202);
    const sql =
      'select ad_user_data, ad_user_data_at, ad_personalization, ad_personalization_at from client where id = $1';
    await performNextErasure(api.database.pool, erasureTools(secretsKeys, 30));
    const { rows } = await api.database.pool.query(sql, [client.id]);
    expect(Object.values(rows[0])).toEqual([null, null, null, null]);
  });

  it('is told of tests by a test key alone, and of no other account', async () => {
    const live = await givenPartner(api);
    const test = await givenPartner(api, { isTest: true });
    await test.register({ externalReference: 'C1', consent: granted });
    expect(await toldOf(test.account.id, 'C1')).toEqual([true, true]);
    expect(await toldOf(live.account.id, 'C1')).toEqual([null, null]);
    const { status, body } = await test.register({ consent: { adUserdata: 'granted' } });
    expect([status, body]).toEqual([400, { message: 'consent.adUserdata: unknown field, did you mean adUserData?' }]);
  });
});
