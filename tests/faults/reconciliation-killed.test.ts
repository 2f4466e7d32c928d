import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { violationsAfter } from '../support/facts.ts';
import { givenPorts, givenStack, type TestStack } from '../support/given-stack.ts';
import { givenLedger, type Ledger } from '../support/ledger.ts';

// long run: `RECONCILIATION_KILLS=100 pnpm exec vitest run tests/faults/reconciliation-killed.test.ts`
const killsCount = Number(process.env['RECONCILIATION_KILLS'] ?? 6);
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

describe('reconciliations and api crashes', () => {
  let stack: TestStack;
  let ledger: Ledger;
  beforeAll(async () => {
    stack = await givenStack();
    ledger = await givenLedger(stack, 1);
    await stack.start('feedback-worker');
  }, 120_000);
  afterAll(() => stack[Symbol.asyncDispose]());

  it(
    'compares each row once and registers each missing sale once if two api instances are killed again and again',
    async () => {
      const ports = await givenPorts();
      const start = () => Promise.all([stack.start('api'), stack.start('api', { ports })]);
      await start();
      const [registered] = await ledger.register(extra);
      if (!registered) throw new Error('nothing was registered');
      const { partner } = registered;
      const entries = ledger.enter(missing);
      const lines = [
        ...entries.flatMap(({ reference, conversion }, index) => {
          const line = `${reference},${String(conversion['clientExternalReference'])},10,USD`;
          return index % 10 === 0 ? [line, line] : [line];
        }),
        ...Array.from({ length: strangers }, (_, index) => `strange-${index},nobody,10,USD`),
      ];
      const call = async (path: string, body?: string, type = 'application/json'): Promise<unknown> => {
        const headers = { 'x-api-key': partner.key, 'content-type': type };
        const init = body === undefined ? { headers } : { method: 'POST', headers, body };
        return (await fetch(`${stack.apiUrl}/reconciliation${path}`, init)).json();
      };
      const today = new Date(Date.now() + 60_000).toISOString().slice(0, 10);
      const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
      const file = `conversionExternalReference,clientExternalReference,amount,currency\n${lines.join('\n')}\n`;
      const sent = await call(`?from=${yesterday}&to=${today}`, file, 'text/csv');
      const { id } = z.object({ id: z.number() }).parse(sent);
      const read = async () => found.parse(await call(`/${id}`));

      /** Kills both instances whenever some more work is done. Returns how often there was work left. */
      const killWhile = async (isWorking: (now: z.infer<typeof found>) => boolean, worked: string) => {
        const progress = async () => (await stack.database.pool.query(`select ${worked} from reconciliation`)).rows[0];
        let killedUnderWay = 0;
        for (let kill = 0; kill < killsCount && isWorking(await read()); kill += 1) {
          const before = JSON.stringify(await progress());
          const onward = async () => expect(JSON.stringify(await progress())).not.toBe(before);
          await vi.waitFor(onward, { timeout: 30_000, interval: 2 });
          await pause((kill % 7) * 3);
          await stack.kill('api');
          await start();
          if (isWorking(await read())) killedUnderWay += 1;
        }
        await vi.waitFor(async () => expect(isWorking(await read())).toBe(false), { timeout: 120_000, interval: 100 });
        return killedUnderWay;
      };

      expect(await killWhile(({ state }) => state !== 'done', 'compared')).toBeGreaterThan(killsCount / 3);
      const compared = { missing, duplicateInList: missing / 10, missingWithoutClient: strangers, extra };
      expect(await read()).toMatchObject({ done: lines.length, counts: { matched: 0, ...compared } });

      // its instance may be killed before it responds
      void call(`/${id}/replay`, '{"outcomes":["missing"]}').catch(() => {});
      await vi.waitFor(async () => expect((await read()).replay).not.toBeNull());
      expect(await killWhile(({ replay }) => replay?.state !== 'done', 'replay')).toBeGreaterThan(killsCount / 3);
      expect((await read()).replay?.counts).toEqual({ created: missing, repeated: 0, differs: 0, refused: 0 });

      const ids = new Map<string, number>();
      for (let after: string | null = '0'; after !== null; ) {
        const { items, next }: z.infer<typeof page> = page.parse(
          await call(`/${id}/rows?outcome=missing&after=${after}`),
        );
        for (const row of items) ids.set(row.conversionExternalReference, row.conversionId);
        after = next;
      }
      for (const entry of entries) {
        entry.statuses.push(201);
        entry.ids.push(ids.get(entry.reference) ?? 0);
      }
      expect(await violationsAfter(stack, ledger)).toEqual([]);
    },
    killsCount * 20_000 + 240_000,
  );
});
