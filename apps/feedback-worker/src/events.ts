import type { DuePlatformRequest } from '@leadback/db';
import type { FeedbackState, PlatformName } from '@leadback/domain';
import type { Answer, SendingMode } from '@leadback/platforms';
import type { Logger, Metrics } from '@leadback/runtime';
import type { LoggedTrace } from '@leadback/tracing';
import { type RequestStatusResult, workerInstruments } from './worker-instruments.ts';

interface Connection {
  readonly id: number;
  readonly platform: PlatformName;
}

interface SettledFeedback extends LoggedTrace {
  readonly platform: PlatformName;
  readonly feedbackId: number;
  readonly mode: SendingMode;
  readonly state: FeedbackState | 'closed';
  /** It was registered in time, and has grown too old since. */
  readonly isExpired: boolean;
}

/** What came of asking for a turn of a platform's quota: the turn is far off where the minute is full, or the day. */
export type QuotaSlotResult = 'taken' | 'minute_full' | 'day_full';

const lookedAt = ({ id: requestId, looks, deliveries, connection }: DuePlatformRequest) => ({
  platform: connection.platform,
  connectionId: connection.id,
  requestId,
  looks,
  deliveries,
});

/** One function per thing that happened: a count, and a line where somebody would look for it. */
export const workerEvents = (log: Logger, metrics: Metrics) => {
  const { settled, expired, requests, rests, orphans, crashed, foreign, verdicts, faults, turns } =
    workerInstruments(metrics);
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
    circuitOpened: ({ id: connectionId, platform }: Connection, restMs: number) => {
      rests.inc({ platform });
      log.warn({ platform, connectionId, restMs }, 'connection rests; what there is to send waits');
    },
    refillFailed: ({ id: connectionId, platform }: Connection, error: unknown) =>
      log.warn({ platform, connectionId, err: error }, 'could not look for more to send; will look again'),
    feedbackSettled: ({ isExpired, ...feedback }: SettledFeedback) => {
      const { platform, state, mode } = feedback;
      if (mode === 'live') settled.inc({ platform, state });
      if (mode === 'live' && isExpired) expired.inc({ platform });
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
    quotaSlot: (outcome: QuotaSlotResult) => turns.inc({ outcome }),
    foreignMessageDropped: (platform: PlatformName) => {
      foreign.inc({ platform });
      log.warn({ platform }, 'dropped a message that is not ours or of another version');
    },
    requestStatusChecked: (request: DuePlatformRequest, verdict: RequestStatusResult) => {
      verdicts.inc({ platform: request.connection.platform, verdict });
      log.info({ ...lookedAt(request), verdict }, 'asked what became of a request');
    },
    requestStatusCheckFailed: (request: DuePlatformRequest, error: unknown) =>
      log.error({ ...lookedAt(request), err: error }, 'could not ask what became of a request; will be tried again'),
    requestStatusPollerFailed: (error: unknown) =>
      log.warn({ err: error }, 'could not look for requests to ask for; trying again'),
    turnNotTaken: (error: unknown) => log.warn({ err: error }, 'could not ask for a turn; will ask again'),
    consuming: () => log.info('consuming from RabbitMQ'),
    notConsuming: (reason: unknown) => log.warn({ err: reason }, 'not consuming; trying again'),
  };
};

export type WorkerEvents = ReturnType<typeof workerEvents>;
