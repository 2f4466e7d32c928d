import type { Logger, Metrics } from '@leadback/runtime';
import { Counter, Gauge } from 'prom-client';
import type { Kept } from './leads/keep-lead.ts';

/** One function per thing that happened: a count, and a line where somebody would look for it. */
export const landingEvents = (log: Logger, metrics: Metrics) => {
  const registers = [metrics];
  const visits = new Counter({
    name: 'leadback_visits_total',
    help: 'Visitors sent on to the advertiser, by the mode of the page and what became of the lead',
    labelNames: ['mode', 'lead'],
    registers,
  });
  const forms = new Counter({
    name: 'leadback_forms_returned_total',
    help: 'Forms given back to their visitors to be corrected',
    registers,
  });
  const replayed = new Counter({
    name: 'leadback_leads_replayed_total',
    help: 'Leads that waited on disk and have been recorded',
    registers,
  });
  const dead = new Counter({
    name: 'leadback_leads_dead_total',
    help: 'Waiting leads that could not be read or can never be recorded; they are kept aside for somebody to look at',
    registers,
  });
  const waiting = new Gauge({
    name: 'leadback_leads_waiting',
    help: '1 while leads wait at the broker or on disk, as far as this app knows',
    registers,
  });
  return {
    leadKept: (mode: string, landingPageId: number, kept: Kept) => {
      visits.inc({ mode, lead: kept });
      if (kept === 'lost') log.error({ landingPageId }, 'lead lost; the visitor went on without a reference');
    },
    botSentOn: (mode: string) => visits.inc({ mode, lead: 'none: bot' }),
    formReturned: () => forms.inc(),
    leadRefused: (error: unknown) => log.warn({ err: error }, 'a lead could not be kept here; the next place is tried'),
    leadNotRecordable: (error: unknown) => log.error({ err: error }, 'a waiting lead was refused by the database'),
    leadsWaiting: (areWaiting: boolean) => waiting.set(areWaiting ? 1 : 0),
    leadDead: () => {
      dead.inc();
      log.error('a waiting lead was laid with the dead letters (lead.dead.v1)');
    },
    spoolDamaged: (file: string) => {
      dead.inc();
      log.error({ file }, 'a file of waiting leads cannot be recorded whole; it is kept as .damaged');
    },
    leadsReplayed: (leads: number) => {
      replayed.inc(leads);
      log.info({ leads }, 'leads that waited on disk are recorded');
    },
    replayFailed: (error: unknown) => log.warn({ err: error }, 'leads on disk could not be replayed; they stay'),
    databaseUp: () => log.info('the database is there'),
    databaseDown: (error: unknown) =>
      log.warn({ err: error }, 'the database is away; leads wait at the broker, or on disk'),
    brokerUp: () => log.info('connected to RabbitMQ'),
    brokerDown: (reason: unknown) => log.warn({ err: reason }, 'no connection to RabbitMQ'),
  };
};

export type LandingEvents = ReturnType<typeof landingEvents>;
