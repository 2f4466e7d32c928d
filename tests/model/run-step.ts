import { chosen, sorted } from './chosen.ts';
import { endLease, passDays, passPauses, pause, resume } from './model.ts';
import { adjust, register } from './registering.ts';
import { retry } from './retries.ts';
import type { Run } from './run.ts';
import type { Step } from './steps.ts';
import { claimByHint, claimOf, crash, drop, everything, isolateSuspect, settleHeld } from './work.ts';
import { send } from './worker.ts';

const retryNamed = async ({ core, model }: Run, numbers: readonly number[]) => {
  const all = [...model.deliveries.values()];
  const named = [...new Set(numbers.flatMap((number) => chosen(all, number) ?? []))];
  const expected = sorted(retry(model, named).map(({ id }) => id));
  const retried = sorted(await core.retry(named.map(({ id }) => id)));
  if (retried !== expected) throw new Error(`retried deliveries ${retried}, not ${expected}`);
};

const retryAll = async ({ core, model }: Run, number: number) => {
  const connection = chosen(model.connections, number);
  if (!connection) return;
  const named = [...model.deliveries.values()].filter((one) => one.connection === connection);
  const expected = retry(model, named).length;
  const retried = await core.retryAll(connection);
  if (retried !== expected) throw new Error(`retried ${retried} deliveries, not ${expected}`);
};

const switchConnection = async ({ core, model }: Run, number: number, to: 'pause' | 'resume') => {
  const connection = chosen(model.connections, number);
  if (!connection) return;
  await core[to](connection.id);
  (to === 'pause' ? pause : resume)(connection);
};

const endLeaseOf = async ({ core, model }: Run, number: number) => {
  const parcel = chosen(
    [...model.parcels].filter(({ isClaimed, isDue }) => isClaimed && !isDue),
    number,
  );
  if (parcel?.id === undefined) return;
  await core.endLease(parcel.id);
  endLease(parcel);
};

/** Does one thing to the core, and the same to the model. */
export const runStep = async (run: Run, step: Step): Promise<void> => {
  const { core, model, claims, platform } = run;
  switch (step.do) {
    case 'register':
      return register(run, chosen(core.accountIds, step.account), step.orders);
    case 'adjust':
      return adjust(run, chosen([...model.sales.values()], step.sale), step.amount);
    case 'claim':
      return void (await claimOf(run, step.connection, step.deliveries));
    case 'claim by hint':
      return claimByHint(run, step.parcel);
    case 'isolate a suspect':
      return void (await isolateSuspect(run));
    case 'send': {
      const held = chosen(
        claims.filter(({ sent }) => !sent),
        step.claim,
      );
      if (held) send(held, step.replies, platform);
      return;
    }
    case 'settle':
      return settleHeld(run, chosen(claims, step.claim), step.times);
    case 'deliver':
      for (const held of await claimOf(run, step.connection, everything)) {
        send(held, step.replies, platform);
        await settleHeld(run, held, 1);
      }
      return;
    case 'crash':
      return crash(run, step.connection, step.replies, step.times);
    case 'kill':
      return drop(run, chosen(claims, step.claim));
    case 'end a lease':
      return endLeaseOf(run, step.parcel);
    case 'pass pauses':
      await core.passPauses();
      return passPauses(model);
    case 'pass days':
      await core.passDays();
      return passDays(model);
    case 'retry':
      return retryNamed(run, step.deliveries);
    case 'retry all':
      return retryAll(run, step.connection);
    case 'pause':
    case 'resume':
      return switchConnection(run, step.connection, step.do);
  }
};
