import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { givenDatabase, testMaxMs } from '@leadback/testing';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parcelViolations } from '../../packages/core/test/parcels.ts';
import { type DeliveryCore, expected, stored, deliveryCore } from './core.ts';
import { isClaimableAlone } from './model.ts';
import { newRun, type Run } from './run.ts';
import { runStep } from './run-step.ts';
import { type Step, rareSequences, sequences } from './steps.ts';

/** What of all that is stored shows that a sequence went through something. */
const shown = ({ connections, clients, sales, deliveries }: Awaited<ReturnType<typeof stored>>): string[] => {
  const countedFor = new Map(sales.map(({ id, leadId }) => [id, leadId]));
  return [
    ...deliveries.map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`)),
    ...deliveries.flatMap(({ saleId, leadId }) => (leadId === countedFor.get(saleId) ? [] : ['a click of its own'])),
    ...sales.flatMap(({ isUntold }) => (isUntold ? ['untold'] : [])),
    ...clients.flatMap(({ reference }) => (reference === null ? ['erased'] : [])),
    ...connections.map(({ state }) => `connection ${state}`),
  ];
};

const compare = async ({ core, model, hints, seen }: Run): Promise<void> => {
  const state = await stored(core);
  expect(state).toEqual(expected(model, state));
  for (const one of shown(state)) seen.add(one);
  for (const { id } of state.parcels) hints.add(id);
};

/** Every connection works, everything comes due, and what is due is delivered. */
const letArrive = async (run: Run): Promise<void> => {
  const { connections, parcels } = run.model;
  await runStep(run, { do: 'end what waits for deleted' });
  for (const [connection, { state, isDeleted }] of connections.entries()) {
    if (state !== 'active' && !isDeleted) await runStep(run, { do: 'resume', connection });
  }
  await runStep(run, { do: 'pass pauses' });
  for (const { isClaimed } of parcels) if (isClaimed) await runStep(run, { do: 'end a lease', parcel: 0 });
  do {
    await runStep(run, { do: 'isolate a suspect' });
    await runStep(run, { do: 'send', claim: 0, replies: ['ok'] });
    await runStep(run, { do: 'settle', claim: 0, times: 1 });
  } while ([...parcels].some(isClaimableAlone));
  for (const connection of connections.keys()) await runStep(run, { do: 'deliver', connection, replies: ['ok'] });
  await compare(run);
};

/** Every account has a client when a sequence begins. */
const firstVisit = { days: 20, parameters: { utm_source: 'newsletter' } };

const roundsMax = 20;

/** Runs a sequence, and then lets everything arrive. Throws at the first difference. Returns what was seen, and the transitions of deliveries. */
export const runSequence = async (
  core: DeliveryCore,
  steps: readonly Step[],
): Promise<{ readonly seen: ReadonlySet<string>; readonly transitions: ReadonlySet<string> }> => {
  const run = await newRun(core);
  for (const account of core.accounts.keys())
    await runStep(run, { do: 'click', account, client: 'C1', visit: firstVisit });
  for (const [index, step] of steps.entries()) {
    try {
      await runStep(run, step);
      await compare(run);
    } catch (cause) {
      throw new Error(`failed at step ${index + 1}, ${JSON.stringify(step)}`, { cause });
    }
  }
  run.claims.length = 0; // all workers die
  for (let round = 0; run.model.parcels.size > 0 && round < roundsMax; round += 1) {
    await letArrive(run);
  }
  for (const account of core.accounts.keys()) await runStep(run, { do: 'look', account });
  expect([...run.model.parcels], 'everything is delivered in the end, or closed').toEqual([]);
  expect(run.platform.violations(run.model)).toEqual([]);
  expect(await parcelViolations(core.pool)).toEqual([]);
  return { seen: run.seen, transitions: run.model.transitions };
};

const numRuns = Number(process.env.MODEL_SEQUENCES ?? 60);
const seed = Number(process.env.MODEL_SEED ?? randomInt(2 ** 31));

// adjusted-deliveries.test.ts, requeue-deliveries.test.ts; platform-requests.test.ts
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
  'the delivery core does what its model does in random sequences of what partners, workers, platforms and operators do',
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
    const rare = [
      'failed: crashed',
      'skipped: superseded',
      'pending: original_pending',
      'pending: token revoked',
      'skipped: connection_deleted',
      'a click of its own',
      'untold',
      'erased',
      ...['already', 'retracted', 'tooOld', 'queued'].map((outcome) => `backfill: ${outcome}`),
      ...['done', 'conflict', 'not-found'].map((outcome) => `delete: ${outcome}`),
    ];
    expect(rare.filter((seen) => !sequencesWith.has(seen))).toEqual([]);
    expect([...transitions].filter((one) => !documented.includes(one))).toEqual([]);
    expect(documented.filter((one) => !transitions.has(one) && !provenElsewhere.test(one))).toEqual([]);
  },
  testMaxMs + numRuns * 2_000,
);
