import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Conversion } from '@leadback/db';
import { givenAccount, givenClient, givenConnection, shared } from '@leadback/testing';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { givenOperator } from './given-operator.ts';

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
const range = ['--from', daysAgo(60).slice(0, 10), '--to', daysAgo(0).slice(0, 10)];

describe('reconcile', async () => {
  const operator = await shared(givenOperator());

  const givenList = async (lines: readonly string[]) => {
    const em = operator.database.em();
    const account = await givenAccount(em);
    await givenConnection(em, { account });
    await givenClient(em, { account, externalReference: 'C1' });
    const file = join(await mkdtemp(join(inject('temporaryFolder'), 'list-')), 'list.csv');
    const head = 'conversionExternalReference,amount,currency,clientExternalReference,occurredAt';
    await writeFile(file, `${[head, ...lines].join('\n')}\n`);
    const conversions = () => operator.database.em().count(Conversion, { account });
    return { account, file, words: ['reconcile', '--account', String(account.id)], conversions };
  };
  const two = [`=order-1,10,USD,C1,${daysAgo(2)}`, `order-2,20,USD,C1,${daysAgo(30)}`, 'order-3,30,USD,C2,'];

  it('compares a list, shows what a replay would do, and registers what is missing', async () => {
    const { file, words, conversions } = await givenList(two);
    const none = { matched: 0, amountDiffers: 0, currencyDiffers: 0, duplicateInList: 0, extra: 0, undelivered: 0 };
    const counts = { ...none, missing: 2, missingWithoutClient: 1, refused: 0 };
    const first = await operator.json([...words, '--file', file, ...range, '--replay', '--dry-run']);
    const replay = { created: 2, repeated: 0, differs: 0, refused: 0, tooOld: { meta: 1 }, withoutOccurredAt: 0 };
    const times = { from: expect.any(String), until: expect.any(String) };
    expect(first).toEqual({
      id: expect.any(Number),
      ...times,
      rows: 3,
      counts,
      replay: [{ dryRun: true, ...replay }],
    });
    expect(await conversions()).toBe(0);

    const { id } = z.object({ id: z.number() }).parse(first);
    const ofFirst = [...words, '--id', String(id)];
    expect(await operator.json([...ofFirst, '--replay'])).toMatchObject({ replay: [{ dryRun: false, ...replay }] });
    expect(await conversions()).toBe(2);

    const again = await operator.type([...words, '--file', file, ...range]);
    expect(again.err).toBe('');
    expect(again.out).toMatch(/matched +│ 2 +│ registered alike/);
    expect(again.out).toMatch(/missingWithoutClient +│ 1 +│/);
    expect(again.out).not.toContain('amountDiffers');
  });

  it('prints the rows with an outcome, safe for spreadsheets', async () => {
    const { file, words } = await givenList(two);
    const { out } = await operator.type([...words, '--file', file, ...range, '--outcome', 'missing', '--csv']);
    const [, ...rows] = out.trimEnd().split('\n');
    expect(rows).toEqual([
      expect.stringMatching(/^1,"missing","'=order-1","10\.00","USD",/),
      expect.stringMatching(/^2,"missing","order-2","20\.00","USD",/),
    ]);
  });

  it.each([
    [
      ['--file', 'list.csv'],
      '--file: give a file with --from and a later --to, or the --id of an earlier reconciliation',
    ],
    [['--file', '/nowhere.csv', ...range], '--file: cannot read /nowhere.csv (ENOENT)'],
    [['--id', '999999'], '--id: this account has no reconciliation 999999'],
    [['--id', '1', '--outcome', 'lost'], '--outcome: expected refused, '],
  ])('refuses %j with exit status 1 and says what to fix', async (options, message) => {
    const { words } = await givenList([]);
    const { status, out, err } = await operator.type([...words, ...options]);
    expect([status, out, err]).toEqual([1, '', expect.stringContaining(message)]);
  });

  it('names the line of a file that cannot be read', async () => {
    const { file, words } = await givenList(['order-1,10,USD,C1,,']);
    const { err } = await operator.type([...words, '--file', file, ...range]);
    expect(err).toContain(`--file: ${file}, line 2: 6 cells, but the header has 5 columns`);
  });
});
