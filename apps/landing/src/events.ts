import { landingPageModes } from '@leadback/db';
import { instruments, type Logger, type Metrics } from '@leadback/runtime';
import { type LeadPlace, leadPlaces } from './leads/store-lead.ts';

/** One function per thing that happened: a count, and a line where somebody would look for it. */
export const landingEvents = (log: Logger, metrics: Metrics) => {
  const { counter, gauge, histogram } = instruments(metrics);
  const visits = counter({
    name: 'leadback_visits_total',
    help: 'Visitors sent on to the advertiser, by the mode of the page and what became of the lead',
    labels: { mode: landingPageModes, lead: [...leadPlaces, 'none_bot'] },
  });
  const forms = counter({
    name: 'leadback_forms_returned_total',
    help: 'Forms given back to their visitors to be corrected',
  });
  const replayed = counter({
    name: 'leadback_leads_replayed_total',
    help: 'Leads that waited on disk and have been recorded',
  });
  const dead = counter({
    name: 'leadback_leads_dead_total',
    help: 'Waiting leads that could not be read or can never be recorded; they are kept aside for somebody to look at',
  });
  const waiting = gauge({
    name: 'leadback_leads_buffered',
    help: '1 while leads wait at the broker or on disk, as far as this app knows',
  });
  const confirmSeconds = histogram({
    name: 'leadback_lead_publish_confirm_seconds',
    help: 'From handing a lead to the broker until it has confirmed it, or until the disk is tried instead',
    labels: { outcome: ['confirmed', 'not_confirmed'] },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  });
  return {
    leadStored: (mode: string, landingPageId: number, kept: LeadPlace) => {
      visits.inc({ mode, lead: kept });
      if (kept === 'lost') log.error({ landingPageId }, 'lead lost; the visitor went on without a reference');
    },
    botRedirected: (mode: string) => visits.inc({ mode, lead: 'none_bot' }),
    formReturned: () => forms.inc(),
    leadRefused: (error: unknown) => log.warn({ err: error }, 'a lead could not be kept here; the next place is tried'),
    leadNotRecordable: (error: unknown) => log.error({ err: error }, 'a waiting lead was refused by the database'),
    leadPublished: ({ isConfirmed, durationMs }: { isConfirmed: boolean; durationMs: number }) =>
      confirmSeconds.observe({ outcome: isConfirmed ? 'confirmed' : 'not_confirmed' }, durationMs / 1000),
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
