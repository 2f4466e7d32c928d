import { landingPageModes, Refusal } from '@leadback/domain';
import { instruments, type Logger, type Metrics } from '@leadback/server/app';

/** Where a lead was stored: in its table; in RabbitMQ or on disk until PostgreSQL is available; or nowhere. */
export const leadPlaces = ['recorded', 'at_broker', 'on_disk', 'lost'] as const;
export type LeadPlace = (typeof leadPlaces)[number];

/**
 * Why a visit leaves no lead: a bot; too many leads of one network on one page; or the page to which it is redirected has the
 * script, which records it.
 */
const withoutLead = ['none_bot', 'none_limited', 'none_script'] as const;
export type NoLead = (typeof withoutLead)[number];

const refusedReports = ['foreign', 'unreadable', 'too_large'] as const;
export type RefusedReport = (typeof refusedReports)[number];

const warnedEveryMs = 60_000;

/** Returns a function that runs `warn` at most once a minute. */
const onceAMinute = <Fields extends unknown[]>(warn: (...fields: Fields) => void) => {
  let quietUntil = 0;
  return (...fields: Fields): void => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + warnedEveryMs;
    warn(...fields);
  };
};

/** Returns a function that counts, and runs `write` at most once a minute with how often it was called since. */
const countedOnceAMinute = (write: (times: number) => void) => {
  let times = 0;
  const writeOnce = onceAMinute(() => {
    write(times);
    times = 0;
  });
  return (): void => {
    times += 1;
    writeOnce();
  };
};

/** One function per event: a metric and, if useful, a log line. */
export const landingEvents = (log: Logger, metrics: Metrics) => {
  const { counter, gauge, histogram } = instruments(metrics);
  const visits = counter({
    name: 'leadback_visits_total',
    help: 'Visitors redirected to the target page or, in script mode, reported by the script or told in the background: by page mode and by where the lead was stored, or why there is none',
    labels: { mode: landingPageModes, lead: [...leadPlaces, ...withoutLead] },
  });
  const reports = counter({
    name: 'leadback_script_reports_refused_total',
    help: 'Reports of the script that were refused: from a site that is no origin of the page, unreadable, or too large',
    labels: { reason: refusedReports },
  });
  const forms = counter({
    name: 'leadback_forms_returned_total',
    help: 'Forms returned to visitors for correction',
  });
  const replayed = counter({
    name: 'leadback_leads_replayed_total',
    help: 'Leads recorded from disk',
  });
  const dead = counter({
    name: 'leadback_leads_dead_total',
    help: 'Buffered leads that cannot be read or recorded; kept for inspection in lead.dead.v1 or as .damaged files',
  });
  const buffered = gauge({
    name: 'leadback_leads_buffered',
    help: '1 while leads are buffered in RabbitMQ or on disk, as far as this app knows',
  });
  const full = counter({
    name: 'leadback_lead_buffer_full_total',
    help: 'Leads beyond the limit of RabbitMQ or the disk; the next place is tried',
    labels: { place: ['queue', 'disk'] },
  });
  const confirmSeconds = histogram({
    name: 'leadback_lead_publish_confirm_seconds',
    help: 'Until RabbitMQ confirms a lead, or the disk is tried instead',
    labels: { outcome: ['confirmed', 'not_confirmed'] },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  });
  const warnOfLimit = onceAMinute((landingPageId: number) =>
    log.warn({ landingPageId }, 'too many leads of one network on a page; visitors go on without one'),
  );
  const warnOfForeign = onceAMinute((landingPageId: number) =>
    log.warn({ landingPageId }, 'the script runs on a site that is no origin of its page; its reports are refused'),
  );
  const warnOfOverload = onceAMinute(() =>
    log.warn('more leads arrive than PostgreSQL records in time; buffering the others'),
  );
  const logDead = countedOnceAMinute((leads) =>
    log.error({ leads }, 'buffered leads moved to the dead-letter queue (lead.dead.v1)'),
  );
  return {
    leadStored: (mode: string, landingPageId: number, place: LeadPlace) => {
      visits.inc({ mode, lead: place });
      if (place === 'lost') log.error({ landingPageId }, 'lead lost; the visitor has no lead reference');
    },
    visitedWithoutLead: (mode: string, landingPageId: number, reason: NoLead) => {
      visits.inc({ mode, lead: reason });
      if (reason === 'none_limited') warnOfLimit(landingPageId);
    },
    reportRefused: (landingPageId: number, reason: RefusedReport) => {
      reports.inc({ reason });
      if (reason === 'foreign') warnOfForeign(landingPageId);
    },
    formReturned: () => forms.inc(),
    leadRefused: (error: unknown) => {
      if (error instanceof Refusal && error.code === 'overloaded') warnOfOverload();
      else log.warn({ err: error }, 'failed to store a lead; trying the next place');
    },
    leadNotRecordable: (error: unknown) => log.error({ err: error }, 'PostgreSQL rejected a buffered lead'),
    leadPublished: ({ isConfirmed, durationMs }: { isConfirmed: boolean; durationMs: number }) =>
      confirmSeconds.observe({ outcome: isConfirmed ? 'confirmed' : 'not_confirmed' }, durationMs / 1000),
    leadBufferFull: (place: 'queue' | 'disk', leads: number) => full.inc({ place }, leads),
    leadsBuffered: (areBuffered: boolean) => buffered.set(areBuffered ? 1 : 0),
    leadDead: () => {
      dead.inc();
      logDead();
    },
    spoolDamaged: (file: string) => {
      dead.inc();
      log.error({ file }, 'cannot record every lead of a spool file; file kept as .damaged');
    },
    damagedFilesDeleted: (files: number) =>
      log.warn({ files }, 'deleted .damaged files of buffered leads after 30 days'),
    leadsReplayed: (leads: number) => {
      replayed.inc(leads);
      log.info({ leads }, 'recorded leads from disk');
    },
    diskHangs: (error: unknown) => log.warn({ err: error }, 'the disk for buffered leads does not respond'),
    replayFailed: (error: unknown) => log.warn({ err: error }, 'failed to record leads from disk; retrying'),
    pagesRestored: (pages: number, savedAt: string) =>
      log.info({ pages, savedAt }, 'loaded the pages of the last run; PostgreSQL replaces them'),
    pageFileIgnored: (error: unknown) =>
      log.warn({ err: error }, 'ignored the file of pages; no page is served before PostgreSQL is available'),
    pageFileNotSaved: (error: unknown) =>
      log.warn({ err: error }, 'failed to save the pages beside the buffered leads'),
    databaseUp: () => log.info('PostgreSQL available'),
    databaseDown: (error: unknown) => log.warn({ err: error }, 'PostgreSQL unavailable; buffering leads'),
    brokerUp: () => log.info('connected to RabbitMQ'),
    brokerDown: (reason: unknown) => log.warn({ err: reason }, 'no connection to RabbitMQ'),
  };
};

export type LandingEvents = ReturnType<typeof landingEvents>;

interface LeadBuffers {
  /** Undefined: not known now. */
  readonly deadLeads: () => Promise<number | undefined>;
  readonly spoolBytes: () => number;
}

/** Exports the length of the dead-letter queue of leads, and the size of the leads on disk. */
export const watchLeadBuffers = (
  metrics: Metrics,
  { deadLeads, spoolBytes }: LeadBuffers,
  spoolBytesMax: number,
): void => {
  const { gauge } = instruments(metrics);
  gauge({
    name: 'leadback_leads_dead',
    help: 'Leads in the queue lead.dead.v1',
    async refresh(dead) {
      const leads = await deadLeads();
      if (leads !== undefined) dead.set(leads);
    },
  });
  gauge({
    name: 'leadback_lead_spool_bytes',
    help: 'Size of LEAD_SPOOL_FOLDER, measured every minute',
    refresh: (size) => size.set(spoolBytes()),
  });
  gauge({
    name: 'leadback_lead_spool_bytes_max',
    help: 'A folder of this size takes no more leads',
    refresh: (max) => max.set(spoolBytesMax),
  });
};
