import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { violationsAfter } from '../support/facts.ts';
import { givenPorts, givenStack, type TestStack } from '../support/given-stack.ts';
import { givenLedger, type Ledger } from '../support/ledger.ts';

// long run: `IMPORT_KILLS=200 pnpm exec vitest run tests/faults/import-killed.test.ts`
const killsCount = Number(process.env['IMPORT_KILLS'] ?? 8);
const rows = 600 * killsCount;
const outcomeOf = /,(\w+),(\d*),[^,]*$/;

const importSchema = z.object({ id: z.number(), state: z.string() });
const progressSchema = z.object({ state: z.string(), done: z.number(), counts: z.record(z.string(), z.number()) });

describe('imported rows and api crashes', () => {
  let stack: TestStack;
  let ledger: Ledger;
  beforeAll(async () => {
    stack = await givenStack();
    ledger = await givenLedger(stack, 1);
    await stack.start('feedback-worker');
  }, 120_000);
  afterAll(() => stack[Symbol.asyncDispose]());

  it(
    'registers and delivers every row once if two api instances are killed again and again during an import',
    async () => {
      const ports = await givenPorts();
      const start = () => Promise.all([stack.start('api'), stack.start('api', { ports })]);
      await start();

      const entries = ledger.enter(rows);
      const [entry] = entries;
      if (!entry) throw new Error('a ledger has at least one entry');
      const { partner } = entry;
      // every tenth row occurs twice
      const lines = entries.flatMap(({ reference, conversion }, index) => {
        const line = `${reference},${String(conversion['clientExternalReference'])},10,USD`;
        return index % 10 === 0 ? [line, line] : [line];
      });
      const call = (path: string, init: RequestInit = {}) =>
        fetch(stack.apiUrl + path, { ...init, headers: { 'x-api-key': partner.key, 'content-type': 'text/csv' } });
      const file = `conversionExternalReference,clientExternalReference,amount,currency\n${lines.join('\n')}\n`;
      const sent = await call('/import?of=conversion', { method: 'POST', body: file });
      const { id } = importSchema.parse(await sent.json());
      const stored = async () => {
        const { rows: found } = await stack.database.pool.query(
          'select state, done, counts from import where id = $1',
          [id],
        );
        return progressSchema.parse(found[0]);
      };

      let killedUnderWay = 0;
      for (let kill = 0; kill < killsCount; kill += 1) {
        const before = await stored();
        if (before.state === 'done') break;
        const onward = async () => expect((await stored()).done).toBeGreaterThan(before.done);
        await vi.waitFor(onward, { timeout: 30_000, interval: 2 });
        await pause((kill % 7) * 5);
        await stack.kill('api');
        if ((await stored()).state === 'running') killedUnderWay += 1;
        await start();
      }
      expect(killedUnderWay).toBeGreaterThan(killsCount / 3);
      await vi.waitFor(async () => expect((await stored()).state).toBe('done'), { timeout: 120_000, interval: 100 });
      expect(await stored()).toMatchObject({
        done: lines.length,
        counts: { created: rows, repeated: lines.length - rows },
      });

      const result = await (await call(`/import/${id}/result.csv`)).text();
      const outcomes = result.trimEnd().split('\n').slice(1);
      expect(outcomes.map((line) => line.slice(0, line.indexOf(',')))).toEqual(
        lines.map((line) => line.slice(0, line.indexOf(','))),
      );
      for (const { reference, statuses, ids } of entries) {
        const [, outcome, conversion] = outcomeOf.exec(outcomes.find((line) => line.startsWith(reference)) ?? '') ?? [];
        statuses.push(outcome === 'created' ? 201 : 400);
        ids.push(Number(conversion));
      }
      expect(await violationsAfter(stack, ledger)).toEqual([]);
    },
    killsCount * 10_000 + 180_000,
  );
});
