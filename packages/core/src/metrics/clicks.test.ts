import { readClicks } from '@leadback/core/clients/read';
import type { ClickDimension } from '@leadback/core/metrics/clicks';
import { metricsRoller, readAccountMetrics } from '@leadback/core/metrics/metrics';
import { readOverview } from '@leadback/core/metrics/overview';
import type { Account } from '@leadback/db';
import { clickIdsByPlatform, type ClickTimes, readClickParameters } from '@leadback/domain';
import { givenAccount, givenConversion, givenDatabase, givenLandingPage, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { AccountScope } from '../people/access.ts';

type Said = Partial<Record<ClickDimension | 'id', string>>;

const of = (query: string) => readClickParameters(query, Date.now()).clickParameters;

const long = 'ñ'.repeat(600);

describe('where a click came from', async () => {
  const database = await shared(givenDatabase());
  const { pool } = database;
  const em = () => database.em();

  const keyOf = async (parameters: object, times: ClickTimes | null = null) => {
    const { rows } = await pool.query<{ key: string; bytes: number }>(
      'select campaign_of($1, $2) as key, octet_length(campaign_of($1, $2)) as bytes',
      [parameters, times],
    );
    return rows[0] ?? { key: '', bytes: 0 };
  };
  const saidBy = async (parameters: object, times?: ClickTimes): Promise<Said> => {
    const [campaign, platform, source, medium, term, content, id] = (await keyOf(parameters, times)).key.split(
      '\u001f',
    );
    const all = { campaign, platform, source, medium, term, content, id };
    return Object.fromEntries(Object.entries(all).filter(([, said]) => said));
  };
  it.each<[query: string, said: Said]>([
    ['', {}],
    ['utm_campaign=verano', { campaign: 'verano' }],
    ['utm_source=Google&utm_medium=CPC&utm_campaign=Verano', { source: 'google', medium: 'cpc', campaign: 'Verano' }],
    [
      'gclid=x&utm_campaign=v&utm_term=zapatos&utm_content=a',
      { platform: 'google', campaign: 'v', term: 'zapatos', content: 'a' },
    ],
    // its auto-tagging says the campaign by its id
    ['gclid=x&gad_source=1&gad_campaignid=22334455', { platform: 'google', id: '22334455' }],
    ['gad_source=1&gad_campaignid=22334455&gbraid=x', { platform: 'google', id: '22334455' }],
    ['gad_source=1', { platform: 'google' }],
    ['gad_campaignid=22334455&utm_campaign=Verano', { platform: 'google', campaign: 'Verano', id: '22334455' }],
    ['utm_id=120210&fbclid=x', { platform: 'meta', id: '120210' }],
    ['utm_id=abc.123', { id: 'abc.123' }],
    ['utm_campaign=120210987654321', { id: '120210987654321' }],
    ['utm_campaign=2026', { campaign: '2026' }],
    ['utm_campaign=120210987654321&gad_campaignid=22334455', { platform: 'google', id: '22334455' }],
    // the platform by the click's id
    ['wbraid=x', { platform: 'google' }],
    ['fbclid=x', { platform: 'meta' }],
    ['ttclid=E.C.P.ab12', { platform: 'tiktok' }],
    ['li_fat_id=0a1b2c3d-4e5f', { platform: 'linkedin' }],
    ['msclkid=0123456789abcdef0123456789abcdef', { platform: 'microsoft' }],
    ['fbclid=x&gclid=x', { platform: 'google' }],
    ['fbclid=x&msclkid=0123456789abcdef0123456789abcdef', { platform: 'microsoft' }],
    ['utm_source=google', { source: 'google' }],
    ['_fbp=fb.1.2.3', {}],
    // what nobody filled
    ['utm_campaign={campaignid}&gclid={gclid}', {}],
    ['utm_campaign={{campaign.name}}&utm_id={{campaign.id}}&fbclid=x', { platform: 'meta' }],
    ['utm_campaign=__CAMPAIGN_NAME__&ttclid=__CLICKID__', {}],
    ['utm_campaign=%%CAMPAIGN%%'.replaceAll('%%', '%25%25'), {}],
    ['utm_campaign=${campaign}&utm_term=[CAMPAIGN_ID]', {}],
    ['utm_campaign={{campaign.name}}_{{adset.name}}', {}],
    ['utm_campaign=%257B%257Bcampaign.name%257D%257D', {}],
    ['utm_campaign=<campaign_name>&utm_term=*|TERM|*', {}],
    ['utm_campaign=verano <3', { campaign: 'verano <3' }],
    ['utm_campaign=verano_{{adset.name}}', { campaign: 'verano_{{adset.name}}' }],
    ['utm_campaign=[BR] Marca', { campaign: '[BR] Marca' }],
    ['utm_campaign=(not set)&utm_medium=(none)&utm_source=null', {}],
    ['utm_campaign=undefined&utm_term= &utm_content=-', {}],
    ['utm_campaign=%20 verano %20', { campaign: 'verano' }],
    ['utm_campaign=夏', { campaign: '夏' }],
    ['utm_campaign=😀', { campaign: '😀' }],
    ['utm_campaign=(other)', { campaign: '(other)' }],
    [`utm_campaign=${long}&utm_source=${long}`, { campaign: long.slice(0, 255), source: long.slice(0, 50) }],
  ])('of "%s" is %j', async (query, said) => {
    expect(await saidBy(of(query))).toEqual(said);
  });

  it('has no part with the character that separates the parts', async () => {
    expect(await saidBy({ utm_campaign: 'a\u001fb' })).toEqual({ campaign: 'a b' });
  });

  it('is the click that the browser remembers if the visit says nothing, the newest', async () => {
    const times = { gclid: '2026-11-01T00:00:00.000Z', fbclid: '2026-11-02T00:00:00.000Z' };
    const remembered = { gclid: 'x', fbclid: 'x' };
    expect(await saidBy(remembered, times)).toEqual({ platform: 'meta' });
    expect(await saidBy({ ...remembered, ttclid: 'x' }, times)).toEqual({ platform: 'tiktok' });
    expect(await saidBy({ ...remembered, utm_source: 'mail' }, times)).toEqual({ source: 'mail' });
  });

  it('knows the click ids of every platform', async () => {
    for (const [platform, names] of Object.entries(clickIdsByPlatform)) {
      for (const name of names) expect([name, await saidBy({ [name]: 'x' })]).toEqual([name, { platform }]);
    }
  });

  it('fits into an index, whatever was sent', async () => {
    const names = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'utm_id', 'fbclid'];
    const { bytes } = await keyOf(Object.fromEntries(names.map((name) => [name, '😀'.repeat(512)])));
    expect(bytes).toBeLessThan(2_400);
  });

  const sell = (account: Account, query: string, amount: string, currency: 'USD' | 'ARS' = 'USD') =>
    givenConversion(em(), { account, client: { lead: { clickParameters: of(query) } }, amount, currency });
  const ever = { from: '2000-01-01', to: '2100-01-01' };
  const rollUp = async () => {
    const roll = metricsRoller();
    while ((await roll(pool, 1_000)) > 0);
  };

  it('groups what clicks earned by each of its parts, each currency by itself, before and after it is rolled up', async () => {
    const account = await givenAccount(em());
    await sell(account, 'gclid=x&utm_source=google&utm_medium=cpc&utm_campaign=verano&utm_term=zapatos', '10.00');
    await sell(account, 'gclid=y&utm_source=Google&utm_medium=cpc&utm_campaign=verano&utm_term=botas', '20.00');
    await sell(account, 'fbclid=x&utm_campaign=verano', '500.00', 'ARS');
    await sell(account, '', '1.00');
    const by = async (...names: ClickDimension[]) => {
      const rows = await readAccountMetrics(em(), { accountId: account.id, ...ever, by: names });
      return rows.map((row) => [...names.map((name) => row[name]), row.values['amount.USD'], row.values['amount.ARS']]);
    };
    const expectGroups = async () => {
      expect(await by('platform')).toEqual([
        ['google', 30, undefined],
        ['meta', undefined, 500],
        [null, 1, undefined],
      ]);
      expect(await by('source', 'medium')).toEqual([
        ['google', 'cpc', 30, undefined],
        [null, null, 1, 500],
      ]);
      expect(await by('campaign')).toEqual([
        [null, 1, undefined],
        ['verano', 30, 500],
      ]);
      expect(await by('term')).toEqual([
        ['botas', 20, undefined],
        ['zapatos', 10, undefined],
        [null, 1, 500],
      ]);
    };
    await expectGroups();
    await rollUp();
    await expectGroups();
    const scope = new AccountScope(account);
    const overview = await readOverview(pool, scope, { ...ever, by: 'platform', clicks: { campaign: 'verano' } });
    expect(overview).toMatchObject({ rows: [{ key: 'google' }, { key: 'meta' }], totals: { conversions: 3 } });
    expect(await readOverview(pool, scope, { ...ever, by: 'campaign', clicks: { platform: '' } })).toMatchObject({
      rows: [{ key: null, measures: { conversions: 1 } }],
    });
  });

  it('gives a campaign that is known by its id alone the name with which most clicks came', async () => {
    const account = await givenAccount(em());
    const { client } = await sell(account, 'gclid=x&gad_source=1&gad_campaignid=22334455', '10.00');
    await sell(account, 'utm_campaign=120210987654321&fbclid=x', '5.00');
    const campaigns = async () => {
      const rows = await readAccountMetrics(em(), { accountId: account.id, ...ever, by: ['campaign'] });
      return rows.map(({ campaign, values }) => [campaign, values['conversions']]);
    };
    expect(await campaigns()).toEqual([
      ['120210987654321', 1],
      ['22334455', 1],
    ]);
    const clicks = await readClicks(pool, account.id, [client.id]);
    expect(clicks.get(client.id)).toMatchObject([{ campaign: '22334455' }]);
    await rollUp();
    await sell(account, 'gclid=y&gad_campaignid=22334455&utm_campaign=Verano', '10.00');
    await sell(account, 'gclid=z&gad_campaignid=22334455&utm_campaign=Verano', '10.00');
    await sell(account, 'gclid=evil&gad_campaignid=22334455&utm_campaign=Another', '10.00');
    const named = [
      ['120210987654321', 1],
      ['Another', 1],
      ['Verano', 3],
    ];
    expect(await campaigns()).toEqual(named);
    await rollUp();
    expect(await campaigns()).toEqual(named);
    const scope = new AccountScope(account);
    expect(await readOverview(pool, scope, { ...ever, by: 'platform', clicks: { campaign: 'Verano' } })).toMatchObject({
      rows: [{ key: 'google', measures: { conversions: 3 } }],
    });
  });

  it('keeps campaigns beyond the limit of clicks without terms and contents, and platforms always', async () => {
    const page = await givenLandingPage(em());
    const leads = Array.from({ length: 12 }, (_, at) => ({
      gclid: 'x',
      utm_campaign: `c${at % 2}`,
      utm_term: `t${at}`,
    }));
    const junk = Array.from({ length: 12 }, (_, at) => ({ fbclid: 'x', utm_campaign: `junk${at}` }));
    for (const clickParameters of [...leads, ...junk]) {
      await pool.query(
        `insert into lead (account_id, landing_page_id, reference, click_parameters) values ($1, $2, gen_random_uuid(), $3)`,
        [page.account.id, page.id, clickParameters],
      );
      await metricsRoller(4)(pool, 100);
    }
    const read = async (...by: ('platform' | 'campaign')[]) => {
      const rows = await readAccountMetrics(em(), { accountId: page.account.id, ...ever, by });
      return rows.map((row) => [...by.map((name) => row[name]), row.values['leads']]);
    };
    expect(await read('platform')).toEqual([
      ['google', 12],
      ['meta', 12],
    ]);
    const campaigns = await read('platform', 'campaign');
    expect(campaigns).toContainEqual(['google', 'c0', 6]);
    expect(campaigns).toContainEqual(['google', 'c1', 6]);
    expect(campaigns).toContainEqual(['meta', '(other)', 12]);
    expect(campaigns).toHaveLength(3);
  });
});
