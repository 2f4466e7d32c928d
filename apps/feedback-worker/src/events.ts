import type { FeedbackState, PlatformName } from '@leadback/domain';
import type { Answer, SendingMode } from '@leadback/platforms';
import type { Logger, Metrics } from '@leadback/runtime';
import { Counter, Histogram } from 'prom-client';

interface SettledFeedback {
  readonly platform: PlatformName;
  readonly feedbackId: number;
  readonly mode: SendingMode;
  readonly state: FeedbackState | 'closed';
}

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
  const foreign = new Counter({
    name: 'leadback_foreign_messages_total',
    help: 'Messages that were not ours or of another version, and were dropped',
    labelNames: ['platform'],
    registers,
  });
  return {
    platformAnswered: (
      platform: PlatformName,
      request: { connectionId: number; events: number; durationMs: number; answer: Answer },
    ) => {
      const { connectionId, events, durationMs, answer } = request;
      requests.observe({ platform, outcome: answer.outcome.kind }, durationMs / 1000);
      const level = answer.outcome.kind === 'delivered' ? 'info' : 'warn';
      log[level](
        { platform, connectionId, events, durationMs, ...answer.outcome, httpStatus: answer.httpStatus },
        'platform answered',
      );
    },
    feedbackSettled: (feedback: SettledFeedback) => {
      const { platform, state, mode } = feedback;
      if (mode === 'live') settled.inc({ platform, state });
      log.info(feedback, 'feedback settled');
    },
    feedbackParked: (platform: PlatformName, connectionId: number) =>
      log.info({ platform, connectionId }, 'connection is not active; its feedback waits'),
    deliveryFailed: (platform: PlatformName, connectionId: number, error: unknown) =>
      log.error({ platform, connectionId, err: error }, 'could not send; will be tried again'),
    foreignMessageDropped: (platform: PlatformName) => {
      foreign.inc({ platform });
      log.warn({ platform }, 'dropped a message that is not ours or of another version');
    },
    consuming: () => log.info('consuming from RabbitMQ'),
    notConsuming: (reason: unknown) => log.warn({ err: reason }, 'not consuming; trying again'),
  };
};

export type WorkerEvents = ReturnType<typeof workerEvents>;
