import {
  type AccountMode,
  type Currency,
  currencies,
  type FeedbackToSend,
  type PlatformName,
  platformNames,
} from '@leadback/domain';
import { instruments, type Logger, type Metrics } from '@leadback/runtime';
import type { LoggedTrace } from '@leadback/tracing';

interface RegisteredConversion {
  readonly id: number;
  readonly currency: Currency;
  readonly isTest: boolean;
  readonly feedback: readonly FeedbackToSend[];
}

interface Publication {
  readonly confirmed: number;
  readonly of: number;
  readonly durationMs: number;
}

/** What came of a round of the relay; `held_back`: the queues are long, or too much is not confirmed yet. */
export type RelayRound = 'published' | 'nothing_due' | 'held_back' | 'broker_unavailable';

/** One function per thing that happened: a count, and a line where somebody would look for it. */
export const apiEvents = (log: Logger, metrics: Metrics) => {
  const { counter, gauge, histogram } = instruments(metrics);
  const clients = counter({
    name: 'leadback_clients_total',
    help: 'Client registrations, by whether the client was new; without those of test keys',
    labels: { outcome: ['created', 'known'] },
  });
  const conversions = counter({
    name: 'leadback_conversions_total',
    help: 'Registered conversions, without those of test keys',
    labels: { currency: currencies },
  });
  const registered = counter({
    name: 'leadback_feedback_registered_total',
    help: 'Feedback that was registered with conversions and has to be sent; without tests',
    labels: { platform: platformNames },
  });
  const published = counter({
    name: 'leadback_feedback_published_total',
    help: 'Feedback handed to the broker, by who did it and whether the broker confirmed it',
    labels: { by: ['request', 'relay'], outcome: ['confirmed', 'left_due'] },
  });
  const confirmSeconds = histogram({
    name: 'leadback_publish_confirm_seconds',
    help: 'From handing feedback to the broker until it has confirmed all of it, or until some is left due',
    labels: { by: ['request', 'relay'], outcome: ['confirmed', 'left_due'] },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  });
  const rounds = counter({
    name: 'leadback_relay_rounds_total',
    help: 'Rounds of the feedback relay, one a second, by what came of them',
    labels: { outcome: ['published', 'nothing_due', 'held_back', 'broker_unavailable', 'failed'] },
  });
  const queueLength = gauge({
    name: 'leadback_feedback_queue_messages',
    help: 'Messages that wait in the queue of a platform, when the relay last looked',
    labels: { platform: platformNames },
  });
  const foldedAt = gauge({
    name: 'leadback_metrics_folded_timestamp_seconds',
    help: 'When this app last left no change out of the metrics of accounts, in seconds since 1970; 0: not yet',
  });
  return {
    clientRegistered: (outcome: 'created' | 'known', { isTest }: Pick<AccountMode, 'isTest'>) => {
      if (!isTest) clients.inc({ outcome });
    },
    conversionRegistered: ({ id, currency, isTest, feedback }: RegisteredConversion, trace: LoggedTrace) => {
      if (!isTest) {
        conversions.inc({ currency });
        for (const { platform } of feedback) registered.inc({ platform });
      }
      log.info({ conversionId: id, isTest, feedback: feedback.length, ...trace }, 'conversion registered');
    },
    feedbackPublished: (by: 'request' | 'relay', { confirmed, of, durationMs }: Publication) => {
      published.inc({ by, outcome: 'confirmed' }, confirmed);
      published.inc({ by, outcome: 'left_due' }, of - confirmed);
      confirmSeconds.observe({ by, outcome: confirmed === of ? 'confirmed' : 'left_due' }, durationMs / 1000);
    },
    queueLooked: (platform: PlatformName, messages: number) => queueLength.set({ platform }, messages),
    relayRound: (outcome: RelayRound) => rounds.inc({ outcome }),
    relayFailed: (error: unknown) => {
      rounds.inc({ outcome: 'failed' });
      log.warn({ err: error }, 'relay round failed; the rows stay due');
    },
    backlogNotMeasured: (error: unknown) => log.warn({ err: error }, 'could not measure the backlog; trying again'),
    keyUseNotNoted: (error: unknown) => log.warn({ err: error }, 'could not note that a key is in use'),
    cleanupFailed: (error: unknown) => log.warn({ err: error }, 'could not delete old answers; will be tried again'),
    metricsRolledUp: () => foldedAt.setToCurrentTime(),
    rollupFailed: (error: unknown) =>
      log.warn({ err: error }, 'could not add changes to the metrics of accounts; will be tried again'),
    brokerUp: () => log.info('connected to RabbitMQ'),
    brokerDown: (reason: unknown) =>
      log.warn({ err: reason }, 'no connection to RabbitMQ; feedback waits in PostgreSQL'),
  };
};

export type ApiEvents = ReturnType<typeof apiEvents>;
