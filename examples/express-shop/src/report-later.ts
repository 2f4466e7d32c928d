import { LeadbackError } from '@leadback/sdk';

type Report = () => Promise<unknown>;

const temporary: readonly string[] = ['no-response', 'timeout', 'unexpected-response', 'rate-limited'];

const isTemporary = (error: unknown) =>
  error instanceof LeadbackError && (error.status >= 500 || temporary.includes(error.code));

/**
 * Reports one after the other in the background, in order: a conversion needs its client. The SDK has retried already
 * when a report fails; a temporary failure is repeated after a pause, and a lasting one is logged for a person.
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
        await report();
      } catch (error) {
        log(`report to Leadback failed: ${String(error)}`);
        if (isTemporary(error)) break;
      }
      reports.shift();
    }
    isWorking = false;
    if (reports.length > 0) setTimeout(() => void work(), pauseMs).unref();
  };

  return (report: Report): void => {
    reports.push(report);
    void work();
  };
};
