import type { DuePlatformRequest } from '@leadback/db';
import { type FeedbackState, feedbackStates, type PlatformName, platformNames } from '@leadback/domain';
import type { Answer, SendingMode } from '@leadback/platforms';
import { instruments, type Logger, type Metrics } from '@leadback/runtime';
import type { LoggedTrace } from '@leadback/tracing';

interface Connection {
  readonly id: number;
  readonly platform: PlatformName;
}

interface SettledFeedback extends LoggedTrace {
  readonly platform: PlatformName;
  readonly feedbackId: number;
  readonly mode: SendingMode;
  readonly state: FeedbackState | 'closed';
}

/** What a look at a request came to. noted: its deliveries stay delivered, with a note. skipped: they were too old. refused: they wait for the operator. */
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
export type PlatformVerdict = (typeof platformVerdicts)[number];

/** What came of asking for a turn of a platform's quota: the turn is far off where the minute is full, or the day. */
export type QuotaTurn = 'taken' | 'minute full' | 'day full';

const lookedAt = ({ id: requestId, looks, deliveries, connection }: DuePlatformRequest) => ({
  platform: connection.platform,
  connectionId: connection.id,
  requestId,
  looks,
  deliveries,
});

/** One function per thing that happened: a count, and a line where somebody would look for it. */
export const workerEvents = (log: Logger, metrics: Metrics) => {
  const { counter, histogram } = instruments(metrics);
  const settled = counter({
    name: 'leadback_feedback_settled_total',
    help: 'Feedback that a worker dealt with, by the state it is in now; without tests',
    labels: { platform: platformNames, state: [...feedbackStates, 'closed'] },
  });
  const requests = histogram({
    name: 'leadback_platform_request_seconds',
    help: 'Requests to a platform, by what became of them',
    labels: { platform: platformNames, outcome: ['delivered', 'rejected', 'unavailable', 'throttled', 'refused'] },
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  });
  const rests = counter({
    name: 'leadback_connection_rests_total',
    help: 'How often a connection was given a rest: its platform is in trouble, or asks for fewer requests',
    labels: { platform: platformNames },
  });
  const orphans = counter({
    name: 'leadback_orphan_messages_total',
    help: 'Messages whose row is gone, and were dropped',
    labels: { platform: platformNames },
  });
  const crashed = counter({
    name: 'leadback_feedback_crashed_total',
    help: 'Feedback that failed because every worker that had it died',
    labels: { platform: platformNames },
  });
  const foreign = counter({
    name: 'leadback_foreign_messages_total',
    help: 'Messages that were not ours or of another version, and were dropped',
    labels: { platform: platformNames },
  });
  const verdicts = counter({
    name: 'leadback_platform_verdicts_total',
    help: 'Looks at what became of requests that a platform had taken, by what it said',
    labels: { platform: platformNames, verdict: platformVerdicts },
  });
  const faults = counter({
    name: 'leadback_delivery_faults_total',
    help: 'Feedback that could not be sent for a fault of ours; it is tried again',
    labels: { platform: platformNames },
  });
  const turns = counter({
    name: 'leadback_quota_turns_total',
    help: 'Turns of a quota that was asked for, by whether it came; what has no turn waits',
    labels: { outcome: ['taken', 'minute full', 'day full'] },
  });
  return {
    platformAnswered: (
      { id: connectionId, platform }: Connection,
      { events, durationMs, answer }: { events: number; durationMs: number; answer: Answer },
    ) => {
      const { outcome, httpStatus } = answer;
      requests.observe({ platform, outcome: outcome.kind }, durationMs / 1000);
      const level = outcome.kind === 'delivered' ? 'info' : 'warn';
      const reason = 'reason' in outcome ? outcome.reason : undefined;
      log[level](
        { platform, connectionId, events, durationMs, outcome: outcome.kind, reason, httpStatus },
        'platform answered',
      );
    },
    connectionRests: ({ id: connectionId, platform }: Connection, restMs: number) => {
      rests.inc({ platform });
      log.warn({ platform, connectionId, restMs }, 'connection rests; what there is to send waits');
    },
    refillFailed: ({ id: connectionId, platform }: Connection, error: unknown) =>
      log.warn({ platform, connectionId, err: error }, 'could not look for more to send; will look again'),
    feedbackSettled: (feedback: SettledFeedback) => {
      const { platform, state, mode } = feedback;
      if (mode === 'live') settled.inc({ platform, state });
      log.info(feedback, 'feedback settled');
    },
    feedbackCrashed: (platform: PlatformName, feedbackId: number) => {
      crashed.inc({ platform });
      log.error({ platform, feedbackId }, 'every worker that had it has died; it has failed');
    },
    feedbackIsolated: (platform: PlatformName, feedbackId: number) =>
      log.warn({ platform, feedbackId }, 'workers that had it have died; taking it alone'),
    orphanMessageDropped: (platform: PlatformName, feedbackId: number) => {
      orphans.inc({ platform });
      log.warn({ platform, feedbackId }, 'dropped a message whose row is gone');
    },
    settlingFailed: ({ platform }: Connection, feedbackId: number, error: unknown) =>
      log.warn({ platform, feedbackId, err: error }, 'could not write down what became of it; trying again'),
    feedbackParked: ({ id: connectionId, platform }: Connection) =>
      log.info({ platform, connectionId }, 'connection is not active; its feedback waits'),
    deliveryFailed: ({ id: connectionId, platform }: Connection, error: unknown) => {
      faults.inc({ platform });
      log.error({ platform, connectionId, err: error }, 'could not send; will be tried again');
    },
    quotaTurn: (outcome: QuotaTurn) => turns.inc({ outcome }),
    foreignMessageDropped: (platform: PlatformName) => {
      foreign.inc({ platform });
      log.warn({ platform }, 'dropped a message that is not ours or of another version');
    },
    platformVerdict: (request: DuePlatformRequest, verdict: PlatformVerdict) => {
      verdicts.inc({ platform: request.connection.platform, verdict });
      log.info({ ...lookedAt(request), verdict }, 'asked what became of a request');
    },
    verdictLookFailed: (request: DuePlatformRequest, error: unknown) =>
      log.error({ ...lookedAt(request), err: error }, 'could not ask what became of a request; will be tried again'),
    verdictWatchFailed: (error: unknown) =>
      log.warn({ err: error }, 'could not look for requests to ask for; trying again'),
    turnNotTaken: (error: unknown) => log.warn({ err: error }, 'could not ask for a turn; will ask again'),
    consuming: () => log.info('consuming from RabbitMQ'),
    notConsuming: (reason: unknown) => log.warn({ err: reason }, 'not consuming; trying again'),
  };
};

export type WorkerEvents = ReturnType<typeof workerEvents>;
