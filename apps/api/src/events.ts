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
    help: 'Registered conversions',
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
    conversionRegistered: (conversion: { id: number; currency: Currency; feedback: number }) => {
      conversions.inc({ currency: conversion.currency });
      log.info({ conversionId: conversion.id, feedback: conversion.feedback }, 'conversion registered');
    },
    feedbackPublished: (by: 'request' | 'relay', { confirmed, of }: { confirmed: number; of: number }) => {
      published.inc({ by, outcome: 'confirmed' }, confirmed);
      published.inc({ by, outcome: 'left due' }, of - confirmed);
    },
    relayFailed: (error: unknown) => {
      relayFailures.inc();
      log.warn({ err: error }, 'relay round failed; the rows stay due');
    },
    brokerUp: () => log.info('connected to RabbitMQ'),
    brokerDown: (reason: unknown) =>
      log.warn({ err: reason }, 'no connection to RabbitMQ; feedback waits in PostgreSQL'),
  };
};

export type ApiEvents = ReturnType<typeof apiEvents>;
