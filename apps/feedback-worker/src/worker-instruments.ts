import { feedbackStates, destinationNames } from '@leadback/domain';
import { instruments, type Metrics } from '@leadback/runtime';

/**
 * Results of a request status check. `noted`: the deliveries stay delivered, with a note. `skipped`: the events were
 * too old. `refused`: the deliveries wait for the operator.
 */
const requestStatusResults = [
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
export type RequestStatusResult = (typeof requestStatusResults)[number];

const requestOutcomes = ['delivered', 'partial', 'rejected', 'unavailable', 'throttled', 'refused'] as const;

/** Every label value is present from the start, with zero. */
export const workerInstruments = (metrics: Metrics) => {
  const { counter, histogram } = instruments(metrics);
  return {
    settled: counter({
      name: 'leadback_feedback_settled_total',
      help: 'Deliveries settled by this worker, by new state (closed: another worker settled it first); tests excluded',
      labels: { platform: destinationNames, state: [...feedbackStates, 'closed'] },
    }),
    requests: histogram({
      name: 'leadback_platform_request_seconds',
      help: 'Requests to a platform, by outcome (partial: it accepted some events of the request)',
      labels: { platform: destinationNames, outcome: requestOutcomes },
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    }),
    circuitOpenings: counter({
      name: 'leadback_connection_rests_total',
      help: 'Times that the circuit of a connection opened, because its platform failed or throttled',
      labels: { platform: destinationNames },
    }),
    expired: counter({
      name: 'leadback_feedback_expired_total',
      help: 'Deliveries registered in time but too old for their platform when they were to be sent; tests excluded',
      labels: { platform: destinationNames },
    }),
    crashed: counter({
      name: 'leadback_feedback_crashed_total',
      help: 'Deliveries failed after five worker crashes',
      labels: { platform: destinationNames },
    }),
    foreignMessages: counter({
      name: 'leadback_foreign_messages_total',
      help: 'Messages dropped because of an unknown format or version',
    }),
    statusChecks: counter({
      name: 'leadback_platform_verdicts_total',
      help: 'Request status checks, by result',
      labels: { platform: destinationNames, verdict: requestStatusResults },
    }),
    internalErrors: counter({
      name: 'leadback_delivery_faults_total',
      help: 'Deliveries that failed with an internal error; they are retried',
      labels: { platform: destinationNames },
    }),
    quotaSlots: counter({
      name: 'leadback_quota_turns_total',
      help: 'Quota slots requested, by outcome; requests without a slot wait',
      labels: { outcome: ['taken', 'minute_full', 'day_full'] },
    }),
  };
};
