import type { DuePlatformRequest } from '@leadback/db';
import type { FeedbackState, PlatformName } from '@leadback/domain';
import type { Answer, SendingMode } from '@leadback/platforms';
import type { Logger, Metrics } from '@leadback/runtime';
import { Counter, Histogram } from 'prom-client';

interface Connection {
  readonly id: number;
  readonly platform: PlatformName;
}

interface SettledFeedback {
  readonly platform: PlatformName;
  readonly feedbackId: number;
  readonly mode: SendingMode;
  readonly state: FeedbackState | 'closed';
}

/** What a look at a request came to; `noted`: its deliveries stay delivered, with a note. */
export type PlatformVerdict = 'used' | 'noted' | 'failed' | 'again' | 'processing' | 'unknown' | 'given_up';

const lookedAt = ({ id: requestId, looks, deliveries, connection }: DuePlatformRequest) => ({
  platform: connection.platform,
  connectionId: connection.id,
  requestId,
  looks,
  deliveries,
});

/** One function per thing that happened: a count, and a line where somebody would look for it. */
export const workerEvents = (log: Logger, metrics: Metrics) => {
  const registers = [metrics];
  const settled = new Counter({
    name: 'leadback_feedback_settled_total',
    help: 'Feedback that a worker dealt with, by the state it is in now; without tests',
    labelNames: ['platform', 'state'],
    registers,
  });
  const requests = new Histogram({
    name: 'leadback_platform_request_seconds',
    help: 'Requests to a platform, by what became of them',
    labelNames: ['platform', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  const rests = new Counter({
    name: 'leadback_connection_rests_total',
    help: 'How often a connection was given a rest: its platform is in trouble, or asks for fewer requests',
    labelNames: ['platform'],
    registers,
  });
  const orphans = new Counter({
    name: 'leadback_orphan_messages_total',
    help: 'Messages whose row is gone, and were dropped',
    labelNames: ['platform'],
    registers,
  });
  const crashed = new Counter({
    name: 'leadback_feedback_crashed_total',
    help: 'Feedback that failed because every worker that had it died',
    labelNames: ['platform'],
    registers,
  });
  const foreign = new Counter({
    name: 'leadback_foreign_messages_total',
    help: 'Messages that were not ours or of another version, and were dropped',
    labelNames: ['platform'],
    registers,
  });
  const verdicts = new Counter({
    name: 'leadback_platform_verdicts_total',
    help: 'Looks at what became of requests that a platform had taken, by what it said',
    labelNames: ['platform', 'verdict'],
    registers,
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
    deliveryFailed: ({ id: connectionId, platform }: Connection, error: unknown) =>
      log.error({ platform, connectionId, err: error }, 'could not send; will be tried again'),
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
