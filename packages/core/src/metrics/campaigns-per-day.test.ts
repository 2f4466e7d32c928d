import type { LandingPage } from '@leadback/db';
import { metricsRoller, readAccountMetrics } from '@leadback/core/metrics/metrics';
import { givenDatabase, givenLandingPage, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';

const campaignsMax = 5;
const day = new Date().toISOString().slice(0, 10);

interface Change {
  readonly campaign: string;
  readonly measure?: string;
  readonly change?: number;
}

const invented = (count: number, from = 0): Change[] =>
  Array.from({ length: count }, (_, index) => ({ campaign: `invented ${from + index}` }));
const state = (name: string, change: number) => ({ measure: `deliveries.meta.${name}`, change });

describe('the campaigns of a page and day', async () => {
  const database = await shared(givenDatabase());

  const note = (page: LandingPage, changes: readonly Change[]) =>
    database.pool.query(
      `insert into metric_increment (account_id, at, landing_page_id, campaign, measure, change)
       select $1, $2, $3, c.campaign, coalesce(c.measure, 'leads'), coalesce(c.change, 1)
       from json_to_recordset($4) c (campaign text, measure text, change numeric)`,
      [page.account.id, day, page.id, JSON.stringify(changes)],
    );
  const rollUpAll = async (limit = campaignsMax, changesMax = 1_000) => {
    const rollUp = metricsRoller(limit);
    while ((await rollUp(database.pool, changesMax)) > 0);
  };
  const stored = async (page: LandingPage, measure = 'leads'): Promise<Record<string, number>> => {
    const { rows } = await database.pool.query<{ campaign: string; value: number }>(
      'select campaign, value::float from account_metric where landing_page_id = $1 and measure = $2 order by campaign',
      [page.id, measure],
    );
    return Object.fromEntries(rows.map(({ campaign, value }) => [campaign, value]));
  };

  it('admits the first campaigns up to the limit, and counts the others together, for each page by itself', async () => {
    const [page, other] = [await givenLandingPage(database.em()), await givenLandingPage(database.em())];
    await note(page, [{ campaign: '' }, ...invented(12), ...invented(2), { campaign: '' }]);
    await note(other, invented(2));
    await rollUpAll();
    expect(await stored(page)).toEqual({
      '': 2,
      'invented 0': 2,
      'invented 1': 2,
      'invented 2': 1,
      'invented 3': 1,
      'invented 4': 1,
      '(other)': 7,
    });
    expect(await stored(other)).toEqual({ 'invented 0': 1, 'invented 1': 1 });
  });

  it('stores no more campaigns when several instances roll up at the same time, and loses no change', async () => {
    const page = await givenLandingPage(database.em());
    for (let round = 0; round < 5; round += 1) {
      await note(page, invented(100, round * 50));
      await Promise.all(Array.from({ length: 4 }, () => rollUpAll(campaignsMax, 7)));
    }
    const leads = await stored(page);
    expect(Object.keys(leads)).toHaveLength(campaignsMax + 1);
    expect(Object.values(leads).reduce((sum, value) => sum + value, 0)).toBe(500);
  });

  it('gives a campaign with a client or a conversion a row however many were invented, before or after it', async () => {
    const page = await givenLandingPage(database.em());
    await note(page, invented(300));
    await rollUpAll();
    const brought = [{ campaign: 'brand' }, { campaign: 'brand', measure: 'clients' }];
    await note(page, brought);
    await note(page, [{ campaign: 'brand', measure: 'amount.USD', change: 5_000 }]);
    const asked = { accountId: page.account.id, from: day, to: day, by: ['campaign'] } as const;
    const shown = async () =>
      (await readAccountMetrics(database.em(), asked)).find(({ campaign }) => campaign === 'brand')?.values;
    // as they will count: the lead before its client may count as another
    expect(await shown()).toEqual({ clients: 1, 'amount.USD': 5_000 });
    await rollUpAll();
    expect(await shown()).toEqual({ leads: 1, clients: 1, 'amount.USD': 5_000 });
    await note(page, [{ campaign: 'brand' }]);
    await rollUpAll();
    expect(await shown()).toEqual({ leads: 2, clients: 1, 'amount.USD': 5_000 });
  });

  it('keeps a place for the leads of campaigns that brought clients on earlier days', async () => {
    const page = await givenLandingPage(database.em());
    await database.pool.query(
      `insert into metric_increment (account_id, at, landing_page_id, campaign, measure, change)
       values ($1, $3::date - 20, $2, 'brand', 'clients', 1), ($1, $3::date - 40, $2, 'long ago', 'clients', 1)`,
      [page.account.id, page.id, day],
    );
    await rollUpAll();
    await note(page, [...invented(20), { campaign: 'brand' }, { campaign: 'long ago' }]);
    await rollUpAll();
    const leads = await stored(page);
    expect([Object.keys(leads).length, leads['brand'], leads['(other)']]).toEqual([campaignsMax + 2, 1, 16]);
  });

  it('counts changes of the state of a delivery in one row, also after the limit was raised', async () => {
    const page = await givenLandingPage(database.em());
    await note(page, invented(20, 100));
    await note(
      page,
      invented(7).map((one) => ({ ...one, ...state('pending', 1) })),
    );
    await rollUpAll();
    await note(
      page,
      invented(7).flatMap((one) => [
        { ...one, ...state('pending', -1) },
        { ...one, ...state('delivered', 1) },
      ]),
    );
    await rollUpAll(100);
    expect(Object.values(await stored(page, 'deliveries.meta.pending'))).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(await stored(page, 'deliveries.meta.delivered')).toMatchObject({ 'invented 0': 1, 'invented 6': 1 });
  });

  it('reads a change that is not rolled up yet as it will count', async () => {
    const page = await givenLandingPage(database.em());
    await note(page, invented(7));
    await rollUpAll();
    await note(page, invented(8));
    const rows = await readAccountMetrics(database.em(), {
      accountId: page.account.id,
      from: day,
      to: day,
      by: ['campaign'],
    });
    const leads = Object.fromEntries(rows.map(({ campaign, values }) => [campaign ?? '', values['leads']]));
    expect(leads).toMatchObject({ 'invented 0': 2, 'invented 4': 2, '(other)': 5 });
    expect(Object.keys(leads)).toHaveLength(campaignsMax + 1);
  });

  it('limits the campaigns of leads to 200 unless told otherwise', async () => {
    const page = await givenLandingPage(database.em());
    await database.pool.query(
      `insert into lead (account_id, landing_page_id, reference, click_parameters)
       select $1, $2, 'reference ' || n, jsonb_build_object('utm_campaign', 'c' || n) from generate_series(1, 203) n`,
      [page.account.id, page.id],
    );
    const rollUp = metricsRoller();
    while ((await rollUp(database.pool, 1_000)) > 0);
    const leads = await stored(page);
    expect([Object.keys(leads).length, leads['(other)']]).toEqual([201, 3]);
  });

  it('shows the sales of a campaign whose click came after three hundred invented ones', async () => {
    const page = await givenLandingPage(database.em());
    const click = `insert into lead (account_id, landing_page_id, reference, click_parameters)
      select $1, $2::bigint, $3 || ' of ' || $2::bigint || ' ' || n, jsonb_build_object('utm_campaign', $3::text || n) from generate_series(1, $4) n`;
    await database.pool.query(click, [page.account.id, page.id, 'invented ', 300]);
    await database.pool.query(click, [page.account.id, page.id, 'brand-search ', 1]);
    await rollUpAll(200);
    expect((await stored(page))['brand-search 1']).toBeUndefined();
    await database.pool.query(
      `with of_lead as (
         insert into client (account_id, lead_id, landing_page_id, campaign)
         select account_id, id, landing_page_id, click_parameters->>'utm_campaign' from lead
         where landing_page_id = $1 and reference like 'brand%' returning *
       )
       insert into conversion (account_id, client_id, lead_id, amount, currency, event_id, landing_page_id, campaign)
       select account_id, id, lead_id, 5000, 'USD', 'sold', landing_page_id, campaign from of_lead`,
      [page.id],
    );
    await rollUpAll(200);
    expect((await stored(page, 'clients'))['brand-search 1']).toBe(1);
    expect((await stored(page, 'amount.USD'))['brand-search 1']).toBe(5_000);
  });
});
