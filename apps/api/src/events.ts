import type { Currency } from '@leadback/domain';
import type { Logger, Metrics } from '@leadback/runtime';
import { Counter } from 'prom-client';

/** One function per thing that happened: a count, and a line where somebody would look for it. */
export const apiEvents = (log: Logger, metrics: Metrics) => {
  const registers = [metrics];
  const clients = new Counter({
    name: 'leadback_clients_total',
    help: 'Client registrations, by whether the client was new',
    labelNames: ['outcome'],
    registers,
  });
  const conversions = new Counter({
    name: 'leadback_conversions_total',
    help: 'Registered conversions, without those of test keys',
    labelNames: ['currency'],
    registers,
  });
  const published = new Counter({
    name: 'leadback_feedback_published_total',
    help: 'Feedback handed to the broker, by who did it and whether the broker confirmed it',
    labelNames: ['by', 'outcome'],
    registers,
  });
  const relayFailures = new Counter({
    name: 'leadback_relay_failures_total',
    help: 'Rounds of the feedback relay that failed',
    registers,
  });
  return {
    clientRegistered: (outcome: 'created' | 'known') => clients.inc({ outcome }),
    conversionRegistered: (conversion: { id: number; currency: Currency; isTest: boolean; feedback: number }) => {
      const { id, currency, isTest, feedback } = conversion;
      if (!isTest) conversions.inc({ currency });
      log.info({ conversionId: id, isTest, feedback }, 'conversion registered');
    },
    feedbackPublished: (by: 'request' | 'relay', { confirmed, of }: { confirmed: number; of: number }) => {
      published.inc({ by, outcome: 'confirmed' }, confirmed);
      published.inc({ by, outcome: 'left due' }, of - confirmed);
    },
    relayFailed: (error: unknown) => {
      relayFailures.inc();
      log.warn({ err: error }, 'relay round failed; the rows stay due');
    },
    keyUseNotNoted: (error: unknown) => log.warn({ err: error }, 'could not note that a key is in use'),
    sweepFailed: (error: unknown) => log.warn({ err: error }, 'could not delete old answers; will be tried again'),
    foldFailed: (error: unknown) =>
      log.warn({ err: error }, 'could not add changes to the metrics of accounts; will be tried again'),
    brokerUp: () => log.info('connected to RabbitMQ'),
    brokerDown: (reason: unknown) =>
      log.warn({ err: reason }, 'no connection to RabbitMQ; feedback waits in PostgreSQL'),
  };
};

export type ApiEvents = ReturnType<typeof apiEvents>;
