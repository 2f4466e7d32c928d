import { setTimeout as pause } from 'node:timers/promises';
import { testMaxMs } from '@leadback/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsAfter } from '../../support/facts.ts';
import { failpoint, wire } from '../../support/failpoint.ts';
import { givenKilledApis, type KilledApis } from '../../support/killed-apis.ts';
import type { Entry } from '../../support/ledger.ts';
import { sendBatch } from '../../support/send-batch.ts';

// long run: `BATCH_KILLS=200 pnpm exec vitest run tests/faults/on-demand/batch-killed.test.ts`; a start takes a second
const killsCount = Number(process.env['BATCH_KILLS'] ?? 4);
const killWithinMs = 250;
const size = 250;
// what the API registers with one commit
const groupSize = 100;

describe('batches and api crashes', () => {
  let apis: KilledApis;
  beforeAll(async () => {
    apis = await givenKilledApis();
  });
  afterEach(() => apis.stack.kill('api'));
  afterAll(() => apis[Symbol.asyncDispose]());

  /** How many of the entries are stored, by position of their group. */
  const storedByGroup = async (entries: readonly Entry[]): Promise<number[]> => {
    const { rows } = await apis.stack.database.pool.query<{ stored: boolean }>(
      `select exists (select from conversion where external_reference = reference) as stored
       from unnest($1::text[]) with ordinality as asked (reference, place) order by place`,
      [entries.map(({ reference }) => reference)],
    );
    const groups = Map.groupBy(rows.entries(), ([place]) => Math.floor(place / groupSize));
    return [...groups.values()].map((group) => group.filter(([, { stored }]) => stored).length);
  };

  it.each([
    ['before it writes anything', { moment: 'saying', text: 'register-conversions' }, [0, 0, 0]],
    [
      'before it commits the first group',
      { moment: 'saying', text: wire.postgres.commit, onceSaid: 'register-conversions' },
      [0, 0, 0],
    ],
    [
      'after it commits the first group',
      { moment: 'hearing', text: wire.postgres.idle, onceSaid: 'register-conversions' },
      [100, 0, 0],
    ],
  ] as const)(
    'has whole groups stored if the api is killed %s, and finishes the batch when it is sent again',
    async (_when, point, groups) => {
      const { stack, ledger } = apis;
      const { module, mark } = failpoint(point);
      const api = await stack.start('api', { imports: [module] });
      const entries = ledger.enter(size);
      expect(await sendBatch(entries)).toBeUndefined();
      expect(await api.exited).toBe('SIGKILL');
      expect(await stack.timesLogged('api', mark)).toBe(1);
      expect(await storedByGroup(entries)).toEqual(groups);

      await stack.start('api');
      const [stored = 0] = groups;
      expect(await sendBatch(entries)).toMatchObject({ created: size - stored, repeated: stored });
      expect(await violationsAfter(stack, ledger)).toEqual([]);
    },
  );

  it(
    'loses and doubles nothing if the api is killed at random moments',
    async () => {
      const { stack, ledger } = apis;
      let unanswered = 0;
      for (let kill = 0; kill < killsCount; kill += 1) {
        const api = await stack.start('api');
        const entries = ledger.enter(size);
        const sent = sendBatch(entries);
        await pause(Math.random() * killWithinMs);
        await api.kill();
        if ((await sent) === undefined) unanswered += 1;
        for (const [place, stored] of (await storedByGroup(entries)).entries()) {
          expect(stored).toBeOneOf([0, Math.min(groupSize, size - place * groupSize)]);
        }
        await stack.start('api');
        expect(await sendBatch(entries)).toBeDefined();
        await stack.kill('api');
      }
      expect(unanswered).toBeGreaterThan(0);
      await stack.start('api');
      expect(await violationsAfter(stack, ledger)).toEqual([]);
    },
    testMaxMs + killsCount * 10_000,
  );
});
