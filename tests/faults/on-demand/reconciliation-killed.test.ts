import { eventually, testMaxMs } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { violationsAfter } from '../../support/facts.ts';
import { fileOf, givenKilledApis, type Killed, linesOf, partnerOf } from '../../support/killed-apis.ts';

// long run: `RECONCILIATION_KILLS=100 pnpm exec vitest run tests/faults/on-demand/reconciliation-killed.test.ts`
const killsCount = Number(process.env['RECONCILIATION_KILLS'] ?? 3);
const missing = 600 * killsCount;
const strangers = 8_000 * killsCount;
const extra = 20;

const counts = z.record(z.string(), z.number());
const found = z.object({
  state: z.string(),
  done: z.number(),
  counts,
  replay: z.object({ state: z.string(), counts }).nullable(),
});
const page = z.object({
  items: z.array(z.object({ conversionExternalReference: z.string(), conversionId: z.number() })),
  next: z.string().nullable(),
});

/**
 * Compares a file and registers what is missing, while the api instances are killed. `inProgress` is that of the step where it
 * was rarer.
 */
const reconcileKilled = async (): Promise<Killed> => {
  await using apis = await givenKilledApis();
  const { stack, ledger } = apis;
  await apis.startTwo();
  const partner = partnerOf(await ledger.register(extra));
  const entries = ledger.enter(missing);
  const lines = [
    ...linesOf(entries),
    ...Array.from({ length: strangers }, (_, index) => `strange-${index},nobody,10,USD`),
  ];
  const call = async (path: string, body?: string, type = 'application/json'): Promise<unknown> => {
    const headers = { 'x-api-key': partner.key, 'content-type': type };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body };
    return (await fetch(`${stack.apiUrl}/reconciliation${path}`, init)).json();
  };
  const today = new Date(Date.now() + 60_000).toISOString().slice(0, 10);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const sent = await call(`?from=${yesterday}&to=${today}`, fileOf(lines), 'text/csv');
  const { id } = z.object({ id: z.number() }).parse(sent);
  const read = async () => found.parse(await call(`/${id}`));

  const storedOf = (columns: string) => async () =>
    (await stack.database.pool.query(`select ${columns} from reconciliation`)).rows[0];
  // of the database, because no api may be running
  const stepIn = (steps: readonly string[]) => async () => {
    const { rows } = await stack.database.pool.query<{ step: string | null }>('select step from reconciliation');
    return steps.includes(rows[0]?.step ?? '');
  };

  const comparing = { isWorking: stepIn(['compare', 'extra']), progress: storedOf('compared, step') };
  const killedComparing = await apis.killWhile({ times: killsCount, ...comparing });
  const compared = { missing, duplicateInList: missing / 10, missingWithoutClient: strangers, extra };
  expect(await read()).toMatchObject({ done: lines.length, counts: { matched: 0, ...compared } });

  // its instance may be killed before it responds
  void call(`/${id}/replay`, '{"outcomes":["missing"]}').catch(() => {});
  await eventually(async () => expect((await read()).replay).not.toBeNull());
  const replaying = { isWorking: stepIn(['replay']), progress: storedOf('replay, step') };
  const killedReplaying = await apis.killWhile({ times: killsCount, ...replaying });
  expect((await read()).replay?.counts).toEqual({ created: missing, repeated: 0, differs: 0, refused: 0 });

  const ids = new Map<string, number>();
  for (let after: string | null = '0'; after !== null; ) {
    const { items, next }: z.infer<typeof page> = page.parse(await call(`/${id}/rows?outcome=missing&after=${after}`));
    for (const row of items) ids.set(row.conversionExternalReference, row.conversionId);
    after = next;
  }
  for (const entry of entries) {
    entry.statuses.push(201);
    entry.ids.push(ids.get(entry.reference) ?? 0);
  }
  return {
    inProgress: Math.min(killedComparing, killedReplaying),
    violations: await violationsAfter(stack, ledger),
  };
};

describe('reconciliations and api crashes', () => {
  it(
    'compares each row once and registers each missing sale once if two api instances are killed again and again',
    async () => {
      for (let killed = 0; killed === 0; ) {
        const { inProgress, violations } = await reconcileKilled();
        expect(violations).toEqual([]);
        killed += inProgress;
      }
    },
    testMaxMs + killsCount * 20_000,
  );
});
