import type { Account } from '@leadback/db';
import { givenAccount, givenClient, givenConversion, shared } from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { listedRowsReply, reconciliationsReply } from '../src/contract/reconciliations.ts';
import { givenConsole } from './given-console.ts';
import { filesOf, workOffFiles } from './given-files.ts';

const dayMs = 86_400_000;
const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const period = `from=${day(-20)}&to=${day(0)}`;
const header = 'conversionExternalReference,amount,currency,clientExternalReference,occurredAt\n';

describe('reconciliations in the console', async () => {
  const console = await shared(givenConsole());
  const person = await console.person();

  let account: Account;
  let files: ReturnType<typeof filesOf>;
  beforeEach(async () => {
    const em = console.database.em();
    account = await givenAccount(em);
    await givenClient(em, { account, externalReference: 'C1' });
    const sales = [
      { externalReference: 'o1', amount: '10' },
      { externalReference: 'o2', amount: '20' },
      { externalReference: 'o3', amount: '5.50' },
    ];
    for (const sale of sales) await givenConversion(em, { account, currency: 'USD', ...sale });
    files = filesOf(console, person, account.id);
  });

  const at = new Date(Date.now() - 2 * dayMs).toISOString();
  const list = `${header}o1,10,USD,,\no2,25,USD,,\no8,100.10,USD,C1,${at}\no9,7,ARS,C1,${at}\no10,3,USD,nobody,\nx,-1,USD,,\n`;
  const replay = (id: number, order: object) => person.post(files.path(`reconciliations/${id}/replay`), order);
  const missing = ['missing', 'missingWithoutClient'];

  it('tell how many sales only one side has or both have differently, with their amounts', async () => {
    const found = await files.compared(list, `${period}&name=october.csv`);
    expect(found).toMatchObject({
      state: 'done',
      rows: 6,
      fileName: 'october.csv',
      createdBy: person.email,
      from: `${day(-20)}T00:00:00.000Z`,
      until: `${day(1)}T00:00:00.000Z`,
      counts: { matched: 1, amountDiffers: 1, missing: 2, missingWithoutClient: 1, extra: 1, refused: 1 },
      money: {
        matched: [{ currency: 'USD', amount: '10.00' }],
        amountDiffers: [{ currency: 'USD', amount: '25.00' }],
        missing: [
          { currency: 'USD', amount: '100.10' },
          { currency: 'ARS', amount: '7.00' },
        ],
        missingWithoutClient: [{ currency: 'USD', amount: '3.00' }],
        extra: [{ currency: 'USD', amount: '5.50' }],
      },
      registered: [{ currency: 'USD', amount: '20.00' }],
      replay: null,
    });
  });

  it('show the rows with an outcome, without what names the client', async () => {
    const { id } = await files.compared(list, period);
    const rows = async (query: string) =>
      listedRowsReply.parse((await person.get(files.path(`reconciliations/${id}/rows?${query}`))).body);
    expect(await rows('outcome=amountDiffers')).toMatchObject({
      items: [
        {
          number: 2,
          reference: 'o2',
          amount: { currency: 'USD', amount: '25.00' },
          registered: { currency: 'USD', amount: '20.00' },
        },
      ],
      next: null,
    });
    expect((await rows('outcome=missing')).items.map(({ reference }) => reference)).toEqual(['o8', 'o9']);
    expect((await rows('after=5')).items.map(({ outcome }) => outcome)).toEqual(['refused', 'extra']);
    const file = await person.get(files.path(`reconciliations/${id}/rows.csv?outcome=missing`));
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="reconciliation-${id}-missing.csv"`);
    expect(file.text.trim().split('\n')).toHaveLength(3);
  });

  it('register what is missing after a counted attempt that keeps nothing', async () => {
    const { id } = await files.compared(list, period);
    const count = async () =>
      (await console.database.pool.query('select from conversion where account_id = $1', [account.id])).rowCount;
    expect((await replay(id, { outcomes: missing, isDryRun: true })).status).toBe(202);
    await workOffFiles(console);
    const counts = { created: 2, repeated: 0, differs: 0, refused: 1 };
    const money = [
      { currency: 'USD', amount: '100.10' },
      { currency: 'ARS', amount: '7.00' },
    ];
    expect((await files.readList(id)).replay).toMatchObject({ state: 'done', isDryRun: true, counts, money });
    expect(await count()).toBe(3);
    await replay(id, { outcomes: missing, isDryRun: false });
    await workOffFiles(console);
    expect((await files.readList(id)).replay).toMatchObject({ state: 'done', isDryRun: false, counts, money });
    expect(await count()).toBe(5);
    const actor = person.email;
    const target = `reconciliation ${id}`;
    const order = { outcomes: missing };
    expect(await files.audited()).toMatchObject([
      { actor, action: 'reconciliation.create', target, details: { isTest: false } },
      { actor, action: 'reconciliation.replay', target, details: { ...order, isDryRun: true } },
      { actor, action: 'reconciliation.replay', target, details: { ...order, isDryRun: false } },
    ]);
  });

  it('refuse a second replay while one is in progress', async () => {
    const { id } = await files.compared(list, period);
    const order = { outcomes: ['missing'], isDryRun: true };
    const statuses = await Promise.all([replay(id, order), replay(id, order)]);
    expect(statuses.map(({ status }) => String(status)).toSorted()).toEqual(['202', '409']);
    await workOffFiles(console);
  });

  it('compare tests with tests alone', async () => {
    const { isTest, counts } = await files.compared(list, `${period}&test=true`);
    expect([isTest, counts.matched, counts.extra]).toEqual([true, 0, 0]);
  });

  it.each([
    [period, 'amount\n1\n', 'line 1: '],
    [`from=${day(0)}&to=${day(-1)}`, list, 'from: must not be after to'],
    ['from=yesterday&to=today', list, 'from: expected a day'],
  ])('refuse list %# and say why', async (query, file, message) => {
    const { status, body } = await person.upload(files.path(`reconciliations?${query}`), file);
    expect([status, body]).toEqual([400, { message: expect.stringContaining(message) }]);
    expect((await person.get(files.path('reconciliations'))).body).toEqual({ items: [], next: null });
  });

  it('are listed newest first', async () => {
    const first = await files.compared(list, period);
    const second = await files.compared(list, period);
    const { items } = reconciliationsReply.parse((await person.get(files.path('reconciliations'))).body);
    expect(items.map(({ id }) => id)).toEqual([second.id, first.id]);
  });
});
