import type { DuePlatformRequest } from '@leadback/delivery';
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
  /** Registered in time, but too old for its platform when it was to be sent. */
  readonly isExpired: boolean;
}

/** Whether a quota slot was taken; if not, whether the quota of the minute or of the day is used up. */
export type QuotaSlotResult = 'taken' | 'minute_full' | 'day_full';

const checkFields = ({ id: requestId, looks, deliveries, connection }: DuePlatformRequest) => ({
  platform: connection.platform,
  connectionId: connection.id,
  requestId,
  looks,
  deliveries,
});

/** One function per event: it updates a metric and writes a log line. */
export const workerEvents = (log: Logger, metrics: Metrics) => {
  const {
    settled,
    expired,
    requests,
    circuitOpenings,
    orphanMessages,
    crashed,
    foreignMessages,
    statusChecks,
    internalErrors,
    quotaSlots,
  } = workerInstruments(metrics);
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
    circuitOpened: ({ id: connectionId, platform }: Connection, openMs: number) => {
      circuitOpenings.inc({ platform });
      log.warn({ platform, connectionId, restMs: openMs }, 'circuit open; deliveries of the connection wait');
    },
    refillFailed: ({ id: connectionId, platform }: Connection, error: unknown) =>
      log.warn({ platform, connectionId, err: error }, 'failed to load more deliveries; retrying'),
    feedbackSettled: ({ isExpired, ...feedback }: SettledFeedback) => {
      const { platform, state, mode } = feedback;
      if (mode === 'live') settled.inc({ platform, state });
      if (mode === 'live' && isExpired) expired.inc({ platform });
      log.info(feedback, 'delivery settled');
    },
    feedbackCrashed: (platform: PlatformName, feedbackId: number) => {
      crashed.inc({ platform });
      log.error({ platform, feedbackId }, 'delivery failed after five worker crashes');
    },
    feedbackIsolated: (platform: PlatformName, feedbackId: number) =>
      log.warn({ platform, feedbackId }, 'workers crashed during this delivery; processing it alone'),
    orphanMessageDropped: (platform: PlatformName, feedbackId: number) => {
      orphanMessages.inc({ platform });
      log.warn({ platform, feedbackId }, 'dropped a message whose delivery was deleted');
    },
    settlingFailed: ({ platform }: Connection, feedbackId: number, error: unknown) =>
      log.warn({ platform, feedbackId, err: error }, 'failed to save the delivery outcome; retrying'),
    feedbackParked: ({ id: connectionId, platform }: Connection) =>
      log.info({ platform, connectionId }, 'connection is not active; its deliveries wait'),
    deliveryFailed: ({ id: connectionId, platform }: Connection, error: unknown) => {
      internalErrors.inc({ platform });
      log.error({ platform, connectionId, err: error }, 'delivery failed with an internal error; retrying');
    },
    quotaSlot: (outcome: QuotaSlotResult) => quotaSlots.inc({ outcome }),
    foreignMessageDropped: (platform: PlatformName) => {
      foreignMessages.inc({ platform });
      log.warn({ platform }, 'dropped a message of an unknown format or version');
    },
    requestStatusChecked: (request: DuePlatformRequest, verdict: RequestStatusResult) => {
      statusChecks.inc({ platform: request.connection.platform, verdict });
      log.info({ ...checkFields(request), verdict }, "checked the platform's request status");
    },
    requestStatusCheckFailed: (request: DuePlatformRequest, error: unknown) =>
      log.error({ ...checkFields(request), err: error }, "failed to check the platform's request status; retrying"),
    requestStatusPollerFailed: (error: unknown) =>
      log.warn({ err: error }, 'failed to load due request status checks; retrying'),
    quotaSlotFailed: (error: unknown) => log.warn({ err: error }, 'failed to take a quota slot; retrying'),
    consuming: () => log.info('consuming from RabbitMQ'),
    notConsuming: (reason: unknown) => log.warn({ err: reason }, 'not consuming from RabbitMQ; reconnecting'),
  };
};

export type WorkerEvents = ReturnType<typeof workerEvents>;
