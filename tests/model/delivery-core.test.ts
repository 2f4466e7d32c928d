import { randomInt } from 'node:crypto';
import { givenDatabase, testMaxMs } from '@leadback/testing';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { deliveryCore } from './core.ts';
import { runSequence } from './sequence.ts';
import { sequences } from './steps.ts';

const numRuns = Number(process.env.MODEL_SEQUENCES ?? 100);
const seed = Number(process.env.MODEL_SEED ?? randomInt(2 ** 31));

it(
  'the delivery core does what its model does in random sequences of requests, crashes, retries and pauses',
  async () => {
    await using database = await givenDatabase();
    const core = await deliveryCore(database);
    const sequencesWith = new Map<string, number>();
    let steps = 0;
    const behaves = fc.asyncProperty(sequences, async (sequence) => {
      for (const seen of await runSequence(core, sequence)) {
        sequencesWith.set(seen, (sequencesWith.get(seen) ?? 0) + 1);
      }
      steps += sequence.length;
    });
    await fc.assert(behaves, { seed, numRuns });

    const counts = [...sequencesWith].map(([seen, count]) => `${count} × ${seen}`).toSorted();
    process.stdout.write(
      `model: ${numRuns} sequences, ${steps} steps, seed ${seed}; sequences with ${counts.join(', ')}\n`,
    );
    // what is rare must not be what never happens
    const rare = ['failed: crashed', 'skipped: superseded', 'pending: original_pending', 'pending: token revoked'];
    expect(rare.filter((seen) => !sequencesWith.has(seen))).toEqual([]);
  },
  testMaxMs + numRuns * 2_000,
);
