import { feedbackStates, platformNames } from '@leadback/domain';
import { instruments, type Metrics } from '@leadback/runtime';

/**
 * What a look at a request came to. noted: its deliveries stay delivered, with a note. skipped: they were too old.
 * refused: they wait for the operator.
 */
const platformVerdicts = [
  'used',
  'noted',
  'failed',
  'skipped',
  'again',
  'refused',
  'processing',
  'unknown',
  'given_up',
] as const;
export type RequestStatusResult = (typeof platformVerdicts)[number];

/** What the worker counts, with every label value from its start. */
export const workerInstruments = (metrics: Metrics) => {
  const { counter, histogram } = instruments(metrics);
  return {
    settled: counter({
      name: 'leadback_feedback_settled_total',
      help: 'Feedback that a worker dealt with, by the state it is in now; without tests',
      labels: { platform: platformNames, state: [...feedbackStates, 'closed'] },
    }),
    requests: histogram({
      name: 'leadback_platform_request_seconds',
      help: 'Requests to a platform, by what became of them',
      labels: { platform: platformNames, outcome: ['delivered', 'rejected', 'unavailable', 'throttled', 'refused'] },
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    }),
    rests: counter({
      name: 'leadback_connection_rests_total',
      help: 'How often a connection was given a rest: its platform is in trouble, or asks for fewer requests',
      labels: { platform: platformNames },
    }),
    orphans: counter({
      name: 'leadback_orphan_messages_total',
      help: 'Messages whose row is gone, and were dropped',
      labels: { platform: platformNames },
    }),
    expired: counter({
      name: 'leadback_feedback_expired_total',
      help: 'Feedback that was registered in time and had grown too old for its platform when it was to be sent; without tests',
      labels: { platform: platformNames },
    }),
    crashed: counter({
      name: 'leadback_feedback_crashed_total',
      help: 'Feedback that failed because every worker that had it died',
      labels: { platform: platformNames },
    }),
    foreign: counter({
      name: 'leadback_foreign_messages_total',
      help: 'Messages that were not ours or of another version, and were dropped',
      labels: { platform: platformNames },
    }),
    verdicts: counter({
      name: 'leadback_platform_verdicts_total',
      help: 'Looks at what became of requests that a platform had taken, by what it said',
      labels: { platform: platformNames, verdict: platformVerdicts },
    }),
    faults: counter({
      name: 'leadback_delivery_faults_total',
      help: 'Feedback that could not be sent for a fault of ours; it is tried again',
      labels: { platform: platformNames },
    }),
    turns: counter({
      name: 'leadback_quota_turns_total',
      help: 'Turns of a quota that was asked for, by whether it came; what has no turn waits',
      labels: { outcome: ['taken', 'minute_full', 'day_full'] },
    }),
  };
};
