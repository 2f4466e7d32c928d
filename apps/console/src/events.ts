import { instruments, type Logger, type Metrics } from '@leadback/server/app';

const outcomes = ['right', 'wrong', 'locked'] as const;
export type SignInOutcome = (typeof outcomes)[number];

export const consoleEvents = (log: Logger, metrics: Metrics) => {
  const { counter } = instruments(metrics);
  const signIns = counter({
    name: 'leadback_console_sign_ins_total',
    help: 'Attempts to sign in to the console, by outcome; locked: refused after five wrong codes',
    labels: { outcome: outcomes },
  });
  const retried = counter({
    name: 'leadback_console_retried_total',
    help: 'Deliveries made pending again from the console',
  });
  const overloaded = counter({
    name: 'leadback_overloaded_requests_total',
    help: 'Requests that were refused with 503 overloaded, because too many waited already',
  });
  return {
    overloaded: () => overloaded.inc(),
    signInTried: (outcome: SignInOutcome) => signIns.inc({ outcome }),
    deliveriesRetried: (deliveries: number) => retried.inc(deliveries),
    taskDone: (task: { readonly id: number; readonly accountId: number; readonly done: number }) =>
      log.info({ taskId: task.id, accountId: task.accountId, deliveries: task.done }, 'task done'),
    taskFailed: (error: unknown, taskId: number) => log.error({ err: error, taskId }, 'task failed'),
    providerUnavailable: (error: unknown) => log.warn({ err: error }, 'the identity provider does not respond'),
    refusalNotNoted: (error: unknown) => log.warn({ err: error }, 'failed to count a refused sign-in'),
  };
};

export type ConsoleEvents = ReturnType<typeof consoleEvents>;
