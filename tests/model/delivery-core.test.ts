import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { givenDatabase, testMaxMs } from '@leadback/testing';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { deliveryCore } from './core.ts';
import { runSequence } from './sequence.ts';
import { rareSequences, sequences } from './steps.ts';

const numRuns = Number(process.env.MODEL_SEQUENCES ?? 100);
const seed = Number(process.env.MODEL_SEED ?? randomInt(2 ** 31));

// adjusted-deliveries.test.ts, requeue-deliveries.test.ts; close-platform-request.test.ts, refused-request.test.ts
const provenElsewhere = /^(11: delivered|12: )/;

/** The table of states.md: `4: claimed → failed`. */
const documentedTransitions = async (): Promise<string[]> => {
  const text = await readFile(new URL('../../packages/core/src/delivery/states.md', import.meta.url), 'utf8');
  return text.split('\n').flatMap((line) => {
    const [, number, from = '', to = ''] = /^\| (\d+) \| ([^|]+) \| ([^|]+) \|/.exec(line) ?? [];
    if (number === undefined) return [];
    return from.split(', ').flatMap((begin) => to.split(', ').map((end) => `${number}: ${begin} → ${end}`));
  });
};

it(
  'the delivery core does what its model does in random sequences of requests, crashes, retries and pauses',
  async () => {
    const documented = await documentedTransitions();
    await using database = await givenDatabase();
    const core = await deliveryCore(database);
    const sequencesWith = new Map<string, number>();
    const transitions = new Set<string>();
    let steps = 0;
    const behaves = fc.asyncProperty(sequences, async (sequence) => {
      const ran = await runSequence(core, sequence);
      for (const seen of ran.seen) sequencesWith.set(seen, (sequencesWith.get(seen) ?? 0) + 1);
      for (const transition of ran.transitions) transitions.add(transition);
      steps += sequence.length;
    });
    await fc.assert(behaves, { seed, numRuns, examples: rareSequences.map((sequence) => [sequence]) });

    const counts = [...sequencesWith].map(([seen, count]) => `${count} × ${seen}`).toSorted();
    process.stdout.write(
      `model: ${numRuns} sequences, ${steps} steps, seed ${seed}; sequences with ${counts.join(', ')}\n`,
    );
    // what is rare must not be what never happens
    const rare = ['failed: crashed', 'skipped: superseded', 'pending: original_pending', 'pending: token revoked'];
    expect(rare.filter((seen) => !sequencesWith.has(seen))).toEqual([]);
    expect([...transitions].filter((one) => !documented.includes(one))).toEqual([]);
    expect(documented.filter((one) => !transitions.has(one) && !provenElsewhere.test(one))).toEqual([]);
  },
  testMaxMs + numRuns * 2_000,
);
