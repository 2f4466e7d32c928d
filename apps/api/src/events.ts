import type { NewParcel } from '@leadback/core/delivery/enqueue';
import {
  type AccountMode,
  type AdjustmentKind,
  adjustmentKinds,
  type Currency,
  currencies,
  erasureAskers,
  platformNames,
  sourceOutcomes,
} from '@leadback/domain';
import type { ErasureStep } from '@leadback/core/erasure/perform-erasure';
import type { ImportStep } from '@leadback/core/imports/work';
import type { WorkedSlice } from '@leadback/core/reconciliation/work';
import type { FinishedJob } from '@leadback/core/periodic';
import type { FetchedEvents } from '@leadback/core/sources/fetch';
import { sourceKinds } from '@leadback/core/sources/kinds/index';
import type { Received } from '@leadback/core/sources/receive';
import type { WorkedEvents } from '@leadback/core/sources/work';
import { instruments, type Logger, type Metrics } from '@leadback/server/app';
import type { HintPublisher } from '@leadback/server/broker';
import { continueTrace, loggedTrace, type Span } from '@leadback/server/trace';

interface RegisteredConversion {
  readonly currency: Currency;
  readonly isTest: boolean;
}

/** One function per event: a metric and, if useful, a log line. */
export const apiEvents = (log: Logger, metrics: Metrics) => {
  const { counter, gauge, histogram } = instruments(metrics);
  const leads = counter({
    name: 'leadback_server_leads_total',
    help: 'Leads that advertisers report from their own servers, by whether the click was new; without test keys',
    labels: { outcome: ['created', 'known'] },
  });
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
  const adjustments = counter({
    name: 'leadback_adjustments_total',
    help: 'Registered adjustments of conversions, without test keys',
    labels: { kind: adjustmentKinds },
  });
  const registered = counter({
    name: 'leadback_deliveries_registered_total',
    help: 'Deliveries created, without test keys',
    labels: { platform: platformNames },
  });
  const reconciliations = counter({
    name: 'leadback_reconciliations_total',
    help: 'Compared lists, and replays; with test keys, too',
    labels: { work: ['compare', 'replay'] },
  });
  const erasures = counter({
    name: 'leadback_erasures_total',
    help: 'Erasures of people, by who asked and how they ended; nobody: there was nothing to erase; asked: the account decides. Without those of the command line',
    labels: { asked_by: erasureAskers, outcome: ['done', 'nobody', 'asked', 'failed'] },
  });
  const hints = counter({
    name: 'leadback_hints_total',
    help: 'Hints to the workers about new deliveries, one per commit, by whether RabbitMQ confirmed them; workers find the others themselves',
    labels: { outcome: ['confirmed', 'unconfirmed'] },
  });
  const confirmSeconds = histogram({
    name: 'leadback_hint_confirm_seconds',
    help: 'Until RabbitMQ confirms a hint, or is known not to',
    labels: { outcome: ['confirmed', 'unconfirmed'] },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  });
  const imported = counter({
    name: 'leadback_imported_rows_total',
    help: 'Rows of imported files by outcome, without test keys and dry runs',
    labels: { of: ['client', 'conversion'], outcome: ['created', 'existing', 'repeated', 'differs', 'refused'] },
  });
  const overloaded = counter({
    name: 'leadback_overloaded_requests_total',
    help: 'Requests that were refused with 503 overloaded, because too many waited already',
  });
  const kinds = sourceKinds.map(({ name }) => name);
  const sourceRequests = counter({
    name: 'leadback_source_requests_total',
    help: 'What sources were sent, by whether its signature was right',
    labels: { kind: kinds, outcome: ['kept', 'refused', 'greeting'] },
  });
  const sourceEvents = counter({
    name: 'leadback_source_events_total',
    help: 'Events of sources, by what they came to; error: the work failed, and is tried again',
    labels: { kind: kinds, outcome: [...sourceOutcomes, 'error'] },
  });
  const sourceFetches = counter({
    name: 'leadback_source_fetches_total',
    help: 'Requests to the APIs of shops for what their messages only name, by how they ended',
    labels: { kind: kinds, outcome: ['fetched', 'missing', 'unavailable', 'refused'] },
  });
  const rolledUpAt = gauge({
    name: 'leadback_metrics_folded_timestamp_seconds',
    help: 'Time of the last complete rollup of account metrics by this app, in seconds since 1970; 0: not yet',
  });
  return {
    leadRegistered: (outcome: 'created' | 'known', { isTest }: Pick<AccountMode, 'isTest'>) => {
      if (!isTest) leads.inc({ outcome });
    },
    clientRegistered: (outcome: 'created' | 'known', { isTest }: Pick<AccountMode, 'isTest'>) => {
      if (!isTest) clients.inc({ outcome });
    },
    conversionRegistered: ({ currency, isTest }: RegisteredConversion) => {
      if (!isTest) conversions.inc({ currency });
    },
    conversionAdjusted: (kind: AdjustmentKind, { isTest }: Pick<AccountMode, 'isTest'>) => {
      if (!isTest) adjustments.inc({ kind });
    },
    deliveriesCreated: (parcels: readonly NewParcel[]) => {
      for (const { platform, isTest, size } of parcels) if (!isTest) registered.inc({ platform }, size);
    },
    rowsImported: (step: ImportStep) => {
      const { id: importId, subject, isTest, isDryRun, rows, isFinished, error } = step;
      if (error !== undefined) {
        log.error({ importId, of: subject, isTest, isDryRun, err: error }, 'import failed; what is done is kept');
      } else if (isFinished) log.info({ importId, of: subject, isTest, isDryRun }, 'import finished');
      if (isTest || isDryRun) return;
      for (const { outcome, item } of rows) {
        imported.inc({ of: subject, outcome });
        if (subject === 'client' && outcome === 'created') clients.inc({ outcome });
        if (subject === 'client' && outcome === 'existing') clients.inc({ outcome: 'known' });
        if (subject === 'conversion' && outcome === 'created') conversions.inc({ currency: String(item['currency']) });
      }
    },
    itemNotStored: (error: unknown) =>
      log.error({ err: error }, 'PostgreSQL refused an item of a batch; not registered'),
    hintPublished: ({ isConfirmed, durationMs }: { readonly isConfirmed: boolean; readonly durationMs: number }) => {
      const outcome = isConfirmed ? 'confirmed' : 'unconfirmed';
      hints.inc({ outcome });
      confirmSeconds.observe({ outcome }, durationMs / 1000);
    },
    overloaded: () => overloaded.inc(),
    keyUseNotNoted: (error: unknown) => log.warn({ err: error }, 'failed to save the last use of an API key'),
    acceptedCompared: ({ compared, lost }: { readonly compared: number; readonly lost: number }) => {
      const counts = { compared, lost };
      if (lost === 0) log.info(counts, 'PostgreSQL was promoted; nothing that was accepted here before is missing');
      else log.error(counts, 'PostgreSQL was promoted and lacks what was accepted before; `doctor` lists it');
    },
    metricsRolledUp: () => rolledUpAt.setToCurrentTime(),
    reconciliationDone: ({ id, mode, step }: WorkedSlice) => {
      const work = step === 'replay' ? step : 'compare';
      reconciliations.inc({ work });
      log.info({ reconciliationId: id, accountId: mode.accountId, isTest: mode.isTest, work }, 'reconciliation done');
    },
    reconciliationGivenUp: ({ id, mode, step, error }: WorkedSlice) =>
      log.error(
        { reconciliationId: id, accountId: mode.accountId, isTest: mode.isTest, step, err: error },
        'reconciliation failed; what is done is kept',
      ),
    reconciliationFailed: (error: unknown) => log.warn({ err: error }, 'failed to reconcile a list; retrying'),
    erasurePerformed: (step: ErasureStep) => {
      const { id: erasureId, accountId, askedBy, outcome } = step;
      if (outcome === 'done') {
        erasures.inc({ asked_by: askedBy, outcome: step.isAnyoneErased ? 'done' : 'nobody' });
        log.info({ erasureId, accountId, askedBy }, 'erasure done');
      } else if (outcome === 'asked') {
        erasures.inc({ asked_by: askedBy, outcome });
        log.info({ erasureId, accountId, askedBy }, 'erasure asked for; the account decides');
      } else if (outcome === 'retry') log.warn({ erasureId, accountId, err: step.error }, 'erasure failed; retrying');
      else {
        erasures.inc({ asked_by: askedBy, outcome });
        log.error({ erasureId, accountId, askedBy, err: step.error }, 'erasure failed for good; ask for it again');
      }
    },
    erasuresLapsed: (count: number) => log.info({ count }, 'erasures lapsed that no account has confirmed'),
    periodicJobDone: ({ name, outcome }: FinishedJob) => log.info({ job: name, ...outcome }, 'daily job done'),
    sourceReceived: ({ kind: { name: kind }, events: count }: Received) => {
      sourceRequests.inc({ kind, outcome: count === 0 ? 'greeting' : 'kept' });
    },
    sourceRefused: (kind: string) => sourceRequests.inc({ kind, outcome: 'refused' }),
    sourceWorked: ({ kind, finished, failures }: WorkedEvents) => {
      for (const { outcome } of finished) sourceEvents.inc({ kind, outcome });
      if (failures.length === 0) return;
      sourceEvents.inc({ kind, outcome: 'error' }, failures.length);
      // codes alone: PostgreSQL's texts quote what was sent
      log.warn({ kind, failures }, 'failed to work on events of a source; retrying');
    },
    sourceFetched: ({ kind, results }: FetchedEvents) => {
      for (const outcome of results) sourceFetches.inc({ kind, outcome });
    },
    brokerUp: () => log.info('connected to RabbitMQ'),
    brokerDown: (reason: unknown) =>
      log.warn({ err: reason }, 'no connection to RabbitMQ; workers find deliveries in PostgreSQL'),
  };
};

export type ApiEvents = ReturnType<typeof apiEvents>;

/** What a request has done for a lead. */
interface DoneForLead {
  readonly name: string;
  /** Start, by `performance.now()`. */
  readonly startTime: number;
  /** Of the lead, if it is traced. */
  readonly traceParent: string | undefined;
  readonly attributes: Readonly<Record<string, number>>;
}

/**
 * Adds a span for this request to the trace of a lead, which may be days old. The request has its own trace, because
 * its lead is only known at the end; the two spans link to each other. Returns the id of the trace, if it is recorded.
 */
export const traceInLead = (
  request: Span,
  { name, startTime, traceParent, attributes }: DoneForLead,
): string | undefined => {
  const links = request.isRecording() ? [{ context: request.spanContext() }] : [];
  const span = continueTrace(traceParent, name, { startTime, attributes, links });
  if (span.isRecording()) request.addLink({ context: span.spanContext() });
  const { trace_id: leadTraceId } = loggedTrace(span);
  span.end();
  return leadTraceId;
};

interface AnnouncerOptions {
  readonly publisher: Pick<HintPublisher, 'publish'>;
  readonly events: Pick<ApiEvents, 'deliveriesCreated' | 'hintPublished'>;
}

/**
 * Returns a function that counts committed parcels and tells the workers about them. Nobody waits for the hint: without
 * one, the workers find the parcels themselves, a moment later. Never throws.
 */
export const announcer = ({ publisher, events }: AnnouncerOptions) => {
  const publish = async (parcels: readonly NewParcel[]): Promise<void> => {
    const since = performance.now();
    const isConfirmed = await publisher.publish(
      parcels.map(({ traceParent, ...parcel }) => ({ ...parcel, traceParent: traceParent ?? undefined })),
    );
    events.hintPublished({ isConfirmed, durationMs: performance.now() - since });
  };
  return (parcels: readonly NewParcel[]): void => {
    events.deliveriesCreated(parcels);
    void publish(parcels);
  };
};
