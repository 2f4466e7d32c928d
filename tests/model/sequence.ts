import { expect } from 'vitest';
import { parcelViolations } from '../../packages/core/test/parcels.ts';
import { isClaimableAlone } from './claims.ts';
import type { DeliveryCore } from './core.ts';
import { expected, stored } from './differences.ts';
import { newRun, type Run } from './run.ts';
import { runStep } from './run-step.ts';
import type { Step } from './steps.ts';

const compare = async ({ core, model, hints, seen }: Run): Promise<void> => {
  const state = await stored(core);
  expect(state).toEqual(expected(model, state));
  for (const { state: is, reason } of state.deliveries) seen.add(reason === null ? is : `${is}: ${reason}`);
  for (const { id } of state.parcels) hints.add(id);
};

/** Every connection works, everything comes due, and what is due is delivered. */
const letArrive = async (run: Run): Promise<void> => {
  const { connections, parcels } = run.model;
  for (const [connection, { state }] of connections.entries()) {
    if (state !== 'active') await runStep(run, { do: 'resume', connection });
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

const roundsMax = 20;

/** Runs a sequence, and then lets everything arrive. Throws at the first difference. Returns what was seen of deliveries, and their transitions. */
export const runSequence = async (
  core: DeliveryCore,
  steps: readonly Step[],
): Promise<{ readonly seen: ReadonlySet<string>; readonly transitions: ReadonlySet<string> }> => {
  const run = await newRun(core);
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
  expect([...run.model.parcels], 'everything is delivered in the end, or closed').toEqual([]);
  expect(run.platform.violations(run.model)).toEqual([]);
  expect(await parcelViolations(core.pool)).toEqual([]);
  return { seen: run.seen, transitions: run.model.transitions };
};
