import { passDays, passPauses } from './model.ts';
import { retryAll, retryNamed, switchConnection } from './operator.ts';
import { adjust, register } from './partner.ts';
import { chosen, type Run } from './run.ts';
import type { Step } from './steps.ts';
import {
  claimByHint,
  claimOf,
  crash,
  drop,
  endLeaseOf,
  everything,
  isolateSuspect,
  send,
  settleHeld,
} from './workers.ts';

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
