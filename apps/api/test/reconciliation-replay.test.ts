import { Conversion, Delivery } from '@leadback/db';
import { givenClient, givenConnection, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from './given-api.ts';
import { givenFailingRows } from './given-failing-rows.ts';
import { givenReconciling, listed } from './given-reconciling.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const rowsSchema = z.object({ items: z.array(z.object({ conversionId: z.number().nullable() })) });

const done = (counts: object, fields: object = {}) => ({
  state: 'done',
  dryRun: false,
  counts: { created: 0, repeated: 0, differs: 0, refused: 0, ...counts },
  tooOld: {},
  withoutOccurredAt: 0,
  ...fields,
});

describe('replaying a reconciliation', async () => {
  const api = await shared(givenApi());

  const givenMissing = async ({ isTest = false } = {}) => {
    const partner = await givenReconciling(api, { isTest });
    const id = await partner.reconcile([
      listed('order-1', { clientExternalReference: 'C1', occurredAt: daysAgo(3) }),
      listed('order-2', { email: 'Ana@x.example', occurredAt: daysAgo(30), amount: 149.9 }),
      listed('order-3', { clientExternalReference: 'C1', occurredAt: daysAgo(100) }),
      listed('order-4', { clientExternalReference: 'C1' }),
      listed('order-5', { clientExternalReference: 'C1', occurredAt: daysAgo(401) }),
      listed('order-6', { email: 'eva@x.example', occurredAt: daysAgo(3) }),
    ]);
    const replay = async (body: object) => {
      const { status, body: answer } = await partner.post(`/reconciliation/${id}/replay`, body);
      return [status, answer];
    };
    const count = () => api.database.em().count(Conversion, { account: partner.account });
    return { ...partner, id, replay, count };
  };

  it('registers missing sales at their own time, once, and says which platforms will skip them for their age', async () => {
    const { account, get, replay, count, id, rowsOf } = await givenMissing();
    const em = api.database.em();
    await givenConnection(em, { account });
    await givenConnection(em, { account, platform: 'google' });
    const tooOld = { meta: 2, google: 1 };
    const expected = done({ created: 4, refused: 1 }, { tooOld, withoutOccurredAt: 1 });

    expect(await replay({ outcomes: ['missing'], dryRun: true })).toEqual([200, { ...expected, dryRun: true }]);
    expect(await count()).toBe(0);
    expect(await em.count(Delivery, { account })).toBe(0);

    const before = api.announced.length;
    expect(await replay({ outcomes: ['missing'] })).toEqual([200, expected]);
    expect(await count()).toBe(4);
    expect(api.announced.slice(before)).toMatchObject([{ size: 4 }, { size: 4 }]);
    const found = await em.find(Conversion, { account }, { orderBy: { externalReference: 'asc' } });
    expect(found.map(({ externalReference, amount }) => [externalReference, amount])).toEqual([
      ['order-1', '10.00'],
      ['order-2', '149.90'],
      ['order-3', '10.00'],
      ['order-4', '10.00'],
    ]);
    expect(
      found.map(({ occurredAt }) => Math.round((Date.now() - Number(occurredAt ?? new Date())) / 86_400_000)),
    ).toEqual([3, 30, 100, 0]);
    const { items } = rowsSchema.parse(await rowsOf(id, '?outcome=missing'));
    expect(items.map(({ conversionId }) => conversionId)).toEqual([...found.map((one) => one.id), null]);
    expect(await rowsOf(id, '?outcome=missing&after=4')).toMatchObject({
      items: [{ message: expect.stringMatching(/^occurredAt: /) }],
    });

    expect(await replay({ outcomes: ['missing'] })).toEqual([
      200,
      done({ refused: 1 }, { tooOld: { meta: 0, google: 0 } }),
    ]);
    expect(await count()).toBe(4);
    expect((await get(`/reconciliation/${id}`)).body).toMatchObject({
      state: 'done',
      replay: done({ refused: 1 }, { tooOld: { meta: 0, google: 0 } }),
    });
  });

  it('registers sales whose client was registered after the comparison', async () => {
    const { account, replay, count } = await givenMissing();
    expect(await replay({ outcomes: ['missingWithoutClient'] })).toEqual([200, done({ refused: 1 })]);
    await givenClient(api.database.em(), { account, email: 'eva@x.example' });
    expect(await replay({ outcomes: ['missingWithoutClient', 'missingWithoutClient'] })).toEqual([
      200,
      done({ created: 1 }),
    ]);
    expect(await count()).toBe(1);
  });

  it('reports what was registered meanwhile, alike or not', async () => {
    const { sell, replay, count } = await givenMissing();
    await sell('order-1');
    await sell('order-2', { amount: 150 });
    expect(await replay({ outcomes: ['missing'] })).toEqual([
      200,
      done({ created: 2, repeated: 1, differs: 1, refused: 1 }, { withoutOccurredAt: 1 }),
    ]);
    expect(await count()).toBe(4);
  });

  it('registers with a test key in test mode only', async () => {
    const { account, replay } = await givenMissing({ isTest: true });
    expect(await replay({ outcomes: ['missing'] })).toMatchObject([200, { counts: { created: 4 } }]);
    expect(await api.database.em().count(Conversion, { account, isTest: true })).toBe(4);
    expect(await api.database.em().count(Conversion, { account, isTest: false })).toBe(0);
  });

  it('works off more rows than a slice has', async () => {
    const { post, reconcile, account } = await givenReconciling(api);
    const names = Array.from({ length: 600 }, (_, index) => `order-${index}`);
    const id = await reconcile(names.map((name) => listed(name, { clientExternalReference: 'C1' })));
    for (const dryRun of [true, false]) {
      const { body } = await post(`/reconciliation/${id}/replay`, { outcomes: ['missing'], dryRun });
      expect(body).toMatchObject({ counts: { created: 600 } });
    }
    expect(await api.database.em().count(Conversion, { account })).toBe(600);
  });

  it('responds that a replay has begun although its first rows fail, and registers them later', async () => {
    const { account, id, get, replay, count } = await givenMissing();
    const failing = await givenFailingRows(api.database, {
      table: 'conversion',
      when: `new.account_id = ${account.id}`,
      sqlState: '42703',
    });
    expect(await replay({ outcomes: ['missing'] })).toEqual([202, done({}, { state: 'running' })]);
    expect(await replay({ outcomes: ['missing'] })).toMatchObject([409, {}]);
    await failing[Symbol.asyncDispose]();
    await expect
      .poll(async () => (await get(`/reconciliation/${id}`)).body)
      .toMatchObject({ replay: { state: 'done', counts: { created: 4 } } });
    expect(await count()).toBe(4);
  });

  it.each([
    [{}, 'outcomes: expected a list of outcomes'],
    [{ outcomes: [] }, 'outcomes: must not be empty'],
    [{ outcomes: ['extra'] }, 'outcomes.0: expected missing or missingWithoutClient'],
    [{ outcomes: ['missing'], dryRun: 'yes' }, 'dryRun: expected true or false'],
  ])('refuses the body %j', async (body, message) => {
    const { replay } = await givenMissing();
    expect(await replay(body)).toEqual([400, { message }]);
  });
});
