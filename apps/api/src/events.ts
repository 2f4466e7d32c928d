import type { NewParcel } from '@leadback/delivery';
import { type AccountMode, type Currency, currencies, type PlatformName, platformNames } from '@leadback/domain';
import { instruments, type Logger, type Metrics } from '@leadback/runtime';
import type { LoggedTrace } from '@leadback/tracing';

interface RegisteredConversion {
  readonly id: number;
  readonly currency: Currency;
  readonly isTest: boolean;
}

interface Publication {
  readonly confirmed: number;
  readonly of: number;
  readonly durationMs: number;
}

/** `held_back`: the queues are long, or too many messages are unconfirmed. */
export type RelayRound = 'published' | 'nothing_due' | 'held_back' | 'broker_unavailable';

/** One function per event: a metric and, if useful, a log line. */
export const apiEvents = (log: Logger, metrics: Metrics) => {
  const { counter, gauge, histogram } = instruments(metrics);
  const clients = counter({
    name: 'leadback_clients_total',
    help: 'Client registrations, by whether the client was new; without test keys',
    labels: { outcome: ['created', 'known'] },
  });
  const conversions = counter({
    name: 'leadback_conversions_total',
    help: 'Registered conversions, without test keys',
    labels: { currency: currencies },
  });
  const registered = counter({
    name: 'leadback_feedback_registered_total',
    help: 'Deliveries created with conversions, without test keys',
    labels: { platform: platformNames },
  });
  const published = counter({
    name: 'leadback_feedback_published_total',
    help: 'Deliveries published to RabbitMQ, by source and whether RabbitMQ confirmed them',
    labels: { by: ['request', 'relay'], outcome: ['confirmed', 'left_due'] },
  });
  const confirmSeconds = histogram({
    name: 'leadback_publish_confirm_seconds',
    help: 'From publishing deliveries until RabbitMQ has confirmed all of them, or until some are left_due',
    labels: { by: ['request', 'relay'], outcome: ['confirmed', 'left_due'] },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  });
  const rounds = counter({
    name: 'leadback_relay_rounds_total',
    help: 'Rounds of the feedback relay, one per second, by outcome',
    labels: { outcome: ['published', 'nothing_due', 'held_back', 'broker_unavailable', 'failed'] },
  });
  const queueLength = gauge({
    name: 'leadback_feedback_queue_messages',
    help: 'Messages in the queue of a platform, as of the last round of the relay',
    labels: { platform: platformNames },
  });
  const rolledUpAt = gauge({
    name: 'leadback_metrics_folded_timestamp_seconds',
    help: 'Time at which this app last rolled up all changes of account metrics, in seconds since 1970; 0: not yet',
  });
  return {
    clientRegistered: (outcome: 'created' | 'known', { isTest }: Pick<AccountMode, 'isTest'>) => {
      if (!isTest) clients.inc({ outcome });
    },
    conversionRegistered: ({ id, currency, isTest }: RegisteredConversion, trace: LoggedTrace) => {
      if (!isTest) conversions.inc({ currency });
      log.info({ conversionId: id, isTest, ...trace }, 'conversion registered');
    },
    deliveriesCreated: (parcels: readonly NewParcel[]) => {
      for (const { platform, isTest, size } of parcels) if (!isTest) registered.inc({ platform }, size);
    },
    feedbackPublished: (by: 'request' | 'relay', { confirmed, of, durationMs }: Publication) => {
      published.inc({ by, outcome: 'confirmed' }, confirmed);
      published.inc({ by, outcome: 'left_due' }, of - confirmed);
      confirmSeconds.observe({ by, outcome: confirmed === of ? 'confirmed' : 'left_due' }, durationMs / 1000);
    },
    queueMeasured: (platform: PlatformName, messages: number) => queueLength.set({ platform }, messages),
    relayRound: (outcome: RelayRound) => rounds.inc({ outcome }),
    relayFailed: (error: unknown) => {
      rounds.inc({ outcome: 'failed' });
      log.warn({ err: error }, 'relay round failed; deliveries stay due');
    },
    backlogNotMeasured: (error: unknown) => log.warn({ err: error }, 'failed to measure the backlog; retrying'),
    keyUseNotNoted: (error: unknown) => log.warn({ err: error }, 'failed to save the last use of an API key'),
    cleanupFailed: (error: unknown) =>
      log.warn({ err: error }, 'failed to delete expired idempotent responses; retrying'),
    metricsRolledUp: () => rolledUpAt.setToCurrentTime(),
    rollupFailed: (error: unknown) => log.warn({ err: error }, 'failed to roll up account metrics; retrying'),
    brokerUp: () => log.info('connected to RabbitMQ'),
    brokerDown: (reason: unknown) =>
      log.warn({ err: reason }, 'no connection to RabbitMQ; deliveries stay in PostgreSQL'),
  };
};

export type ApiEvents = ReturnType<typeof apiEvents>;
