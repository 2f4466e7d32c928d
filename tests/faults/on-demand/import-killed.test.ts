import { testMaxMs } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { violationsAfter } from '../../support/facts.ts';
import { fileOf, givenKilledApis, type Killed, linesOf, partnerOf } from '../../support/killed-apis.ts';

// long run: `IMPORT_KILLS=200 pnpm exec vitest run tests/faults/on-demand/import-killed.test.ts`
const killsCount = Number(process.env['IMPORT_KILLS'] ?? 4);
const rows = 600 * killsCount;
const outcomeOf = /,(\w+),(\d*),[^,]*$/;

const importSchema = z.object({ id: z.number(), state: z.string() });
const progressSchema = z.object({ state: z.string(), done: z.number(), counts: z.record(z.string(), z.number()) });

/** Imports a file, whose api instances are killed. */
const importKilled = async (): Promise<Killed> => {
  await using apis = await givenKilledApis();
  const { stack, ledger } = apis;
  await apis.startTwo();
  const entries = ledger.enter(rows);
  const { key } = partnerOf(entries);
  const lines = linesOf(entries);
  const call = (path: string, init: RequestInit = {}) =>
    fetch(stack.apiUrl + path, { ...init, headers: { 'x-api-key': key, 'content-type': 'text/csv' } });
  const sent = await call('/import?of=conversion', { method: 'POST', body: fileOf(lines) });
  const { id } = importSchema.parse(await sent.json());
  const stored = async () => {
    const query = 'select state, done, counts from import where id = $1';
    return progressSchema.parse((await stack.database.pool.query(query, [id])).rows[0]);
  };

  const inProgress = await apis.killWhile({
    times: killsCount,
    isWorking: async () => (await stored()).state !== 'done',
    progress: stored,
  });
  expect(await stored()).toMatchObject({
    done: lines.length,
    counts: { created: rows, repeated: lines.length - rows },
  });

  const result = await (await call(`/import/${id}/result.csv`)).text();
  const outcomes = result.trimEnd().replaceAll('"', '').split('\n').slice(1);
  expect(outcomes.map((line) => line.slice(0, line.indexOf(',')))).toEqual(
    lines.map((line) => line.slice(0, line.indexOf(','))),
  );
  for (const { reference, statuses, ids } of entries) {
    const [, outcome, conversion] = outcomeOf.exec(outcomes.find((line) => line.startsWith(reference)) ?? '') ?? [];
    statuses.push(outcome === 'created' ? 201 : 400);
    ids.push(Number(conversion));
  }
  return { inProgress, violations: await violationsAfter(stack, ledger) };
};

describe('imported rows and api crashes', () => {
  it(
    'registers and delivers every row once if two api instances are killed again and again during an import',
    async () => {
      for (let killed = 0; killed <= killsCount / 3; ) {
        const { inProgress, violations } = await importKilled();
        expect(violations).toEqual([]);
        killed += inProgress;
      }
    },
    testMaxMs + killsCount * 10_000,
  );
});
