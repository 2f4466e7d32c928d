import { LeadbackError } from '@leadback/sdk';

interface Report {
  /** For the log: which order or customer. */
  readonly of: string;
  readonly send: () => Promise<unknown>;
}

const temporary: readonly string[] = ['no-response', 'timeout', 'unexpected-response', 'rate-limited'];

// a wrong or revoked key is no reason to drop a sale: a person corrects it
const mayPassLater = (error: unknown) =>
  error instanceof LeadbackError &&
  (error.status >= 500 || [401, 403].includes(error.status) || temporary.includes(error.code));

/**
 * Reports one after the other in the background, in order: a conversion needs its client. The SDK has retried already
 * when a report fails; what may pass later is repeated after a pause, and a lasting failure is logged for a person.
 *
 * A real shop keeps its reports in a table, written in the transaction of the order, so that a restart loses none.
 */
export const reportLater = (log: (text: string) => void, pauseMs = 60_000) => {
  const reports: Report[] = [];
  let isWorking = false;

  const work = async (): Promise<void> => {
    if (isWorking) return;
    isWorking = true;
    for (let [report] = reports; report; [report] = reports) {
      try {
        await report.send();
      } catch (error) {
        log(`report of ${report.of} to Leadback failed: ${String(error)}`);
        if (mayPassLater(error)) break;
      }
      reports.shift();
    }
    isWorking = false;
    if (reports.length > 0) setTimeout(() => void work(), pauseMs).unref();
  };

  return (of: string, send: Report['send']): void => {
    reports.push({ of, send });
    void work();
  };
};
