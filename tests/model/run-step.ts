import { passDays, passPauses } from './model.ts';
import {
  backfill,
  connect,
  deleteOne,
  endOfDeleted,
  lookAt,
  retryAll,
  retryNamed,
  switchConnection,
} from './operator.ts';
import { adjust, click, eraseClient, register } from './partner.ts';
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
  const accountOf = ({ account: number }: { readonly account: number }) => {
    const account = chosen(core.accounts, number);
    if (!account) throw new Error('there is no account');
    return account;
  };
  switch (step.do) {
    case 'register':
      return register(run, accountOf(step), step.orders);
    case 'click':
      return click(run, accountOf(step), step.client, step.visit);
    case 'erase':
      return eraseClient(run, accountOf(step), step.client);
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
    case 'connect':
      return connect(run, accountOf(step), step.platform);
    case 'backfill':
      return backfill(run, step);
    case 'delete':
      return deleteOne(run, step.connection, step.isDiscarding);
    case 'end what waits for deleted':
      return endOfDeleted(run);
    case 'look':
      return lookAt(run, accountOf(step));
  }
};
