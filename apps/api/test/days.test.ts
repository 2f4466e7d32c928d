import { givenAccount, givenConnection, givenConversion, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi, givenPartner, idOf } from './given-api.ts';

const api = await shared(givenApi());
const timeZone = 'America/Argentina/Buenos_Aires';

/** An account that sells at half past ten in the evening of the 26th, and at half past midnight. */
const given = async () => {
  const account = await givenAccount(api.database.em(), { timeZone });
  await givenConnection(api.database.em(), { account });
  const { get, post, sell } = await givenPartner(api, { account });
  const late = await sell({ occurredAt: '2026-11-26T22:30:00-03:00', conversionExternalReference: 'late' });
  const early = await sell({ occurredAt: '2026-11-27T00:30:00-03:00', conversionExternalReference: 'early' });
  return { get, post, late, early };
};

describe("the API of an account with a time zone counts days by the account's clocks", () => {
  it('in the list of conversions', async () => {
    const { get, late, early } = await given();
    const of = async (query: string) => (await get(`/client/conversions?${query}`)).body;
    expect(await of('from=2026-11-26&to=2026-11-26')).toMatchObject({ items: [{ id: late }] });
    expect(await of('from=2026-11-27&to=2026-11-27')).toMatchObject({ items: [{ id: early }] });
    expect(await of('to=2026-11-27')).toMatchObject({ items: [{ id: early }, { id: late }] });
  });

  it('in reports, which say the time zone', async () => {
    const { get } = await given();
    const day = { from: '2026-11-26', to: '2026-11-26' };
    const query = new URLSearchParams(day).toString();
    expect((await get(`/report/deliveries?${query}`)).body).toMatchObject([
      { timeZone, days: [{ day: '2026-11-26', registered: { conversions: 1 } }] },
    ]);
    expect((await get(`/report/quality?${query}`)).body).toMatchObject([{ timeZone, platform: 'meta' }]);
    expect((await get('/report/quality?from=2999-01-01')).body).toEqual({ message: 'from: is after to' });
  });

  it('in a reconciliation', async () => {
    const { get, post } = await given();
    const items = [{ conversionExternalReference: 'late', amount: 149.9, currency: 'USD' }];
    const id = idOf(await post('/reconciliation?from=2026-11-26&to=2026-11-26', { items }));
    await expect
      .poll(async () => (await get(`/reconciliation/${id}`)).body)
      .toMatchObject({
        state: 'done',
        from: '2026-11-26T03:00:00.000Z',
        until: '2026-11-27T03:00:00.000Z',
        counts: { missing: 0, extra: 0 },
      });
  });
});

describe('the metrics of the API', () => {
  it('say which platform and campaign earned, without tests and other accounts', async () => {
    const account = await givenAccount(api.database.em(), { timeZone });
    const { get } = await givenPartner(api, { account });
    const sale = (clickParameters: object, amount: string, currency: 'USD' | 'ARS', isTest = false) =>
      givenConversion(api.database.em(), { account, client: { lead: { clickParameters } }, amount, currency, isTest });
    await sale({ gclid: 'x', gad_campaignid: '22334455' }, '10.00', 'USD');
    await sale({ gclid: 'y', gad_campaignid: '22334455', utm_campaign: 'Verano' }, '20.00', 'USD');
    await sale({ fbclid: 'x', utm_campaign: '{{campaign.name}}' }, '500.00', 'ARS');
    await sale({ fbclid: 'x', utm_campaign: 'secret' }, '500.00', 'ARS', true);
    await givenConversion(api.database.em(), {});
    const by = async (query: string) => (await get(`/report/metrics${query}`)).body;
    expect(await by('')).toMatchObject([
      { timeZone, platform: 'meta', campaign: null, conversions: 1, amounts: { ARS: 500 }, day: null },
      { platform: null, campaign: null, leads: 1, clients: 1, conversions: 0 },
      { platform: 'google', campaign: 'Verano', leads: 2, clients: 2, conversions: 2, amounts: { USD: 30 } },
      { platform: 'meta', campaign: 'secret', leads: 1, conversions: 0, amounts: {} },
    ]);
    expect(await by('?by=platform')).toMatchObject([{ platform: 'google' }, { platform: 'meta' }, { platform: null }]);
    expect(await by('?from=2020-01-01&to=2020-01-02')).toEqual([]);
    expect((await get('/report/metrics?by=platform,colour')).status).toBe(400);
  });
});
