import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Backlog, waitReasons, measureBacklog } from '@leadback/core/delivery/due';
import type { NewParcel } from '@leadback/core/delivery/enqueue';
import { connectionStates, destinationNames, sourceEventDays } from '@leadback/domain';
import { type ShortLivedTable, shortLivedTables, countDeadRows, metricsRoller } from '@leadback/core/metrics/metrics';
import { qualityRoller } from '@leadback/core/quality/quality';
import { instruments, type jobs, type Metrics } from '@leadback/server/app';
import { lapseAskedErasures } from '@leadback/core/erasure/ask/ask-erasure';
import { type ErasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { type AcceptedLog, compareAccepted, readServer } from '@leadback/core/accepted';
import { deleteExpiredResponses } from '@leadback/core/once';
import { periodicWorker } from '@leadback/core/periodic';
import type { ContactCipher, PeriodicJob } from '@leadback/db';
import { cleanUpImports } from '@leadback/core/imports/store';
import { type ItemRegistrars, workOnNextImport } from '@leadback/core/imports/work';
import { deleteCutOffList } from '@leadback/core/reconciliation/create';
import { workOnNextReconciliation } from '@leadback/core/reconciliation/work';
import { catchUpNextSource } from '@leadback/core/sources/catch-up';
import { countSources, sourceConditions, type SourceCount } from '@leadback/core/sources/attention';
import { fetchForNextEvents, type FetchingTools } from '@leadback/core/sources/fetch';
import type { RefusalCounter } from '@leadback/core/sources/refusals';
import { deleteOldEvents, workOnNextEvents } from '@leadback/core/sources/work';
import { sourceKinds } from '@leadback/core/sources/kinds/index';
import type { ApiEvents } from './events.ts';
import type { ErasuresPool, JobsPool } from './pools.ts';

interface BacklogGauges {
  readonly show: (backlog: Backlog) => void;
  readonly showDeadRows: (rows: ReadonlyMap<ShortLivedTable, number>) => void;
  readonly showSources: (counts: readonly SourceCount[]) => void;
}

/** Exports the pending deliveries, and what a search for them has to skip, as of the last measurement. */
export const backlogGauges = (metrics: Metrics): BacklogGauges => {
  const { gauge } = instruments(metrics);
  const part = { platform: destinationNames, waits_for: waitReasons };
  const waiting = gauge({
    name: 'leadback_deliveries_waiting',
    help: 'Pending deliveries, by what they wait for: a worker, their next attempt, or an operator (paused, needs_attention)',
    labels: part,
  });
  const oldest = gauge({
    name: 'leadback_deliveries_waiting_oldest_seconds',
    help: 'Age of the oldest conversion with a pending delivery, since it occurred, by what the delivery waits for',
    labels: part,
  });
  const tried = gauge({
    name: 'leadback_deliveries_tried_oldest_seconds',
    help: 'How long the oldest retried delivery has been tried',
    labels: { platform: destinationNames },
  });
  const overdue = gauge({
    name: 'leadback_deliveries_overdue_seconds',
    help: 'How long the oldest due delivery has waited for a worker',
    labels: { platform: destinationNames },
  });
  const connections = gauge({
    name: 'leadback_connections',
    help: 'Platform connections and webhooks, by state',
    labels: { platform: destinationNames, state: connectionStates },
  });
  const untold = gauge({
    name: 'leadback_conversions_untold',
    help: 'Conversions of the last 90 days that no connection took: an operator can report them',
  });
  const measuredAt = gauge({
    name: 'leadback_backlog_measured_timestamp_seconds',
    help: 'Time of the last measurement of the backlog, in seconds since 1970; 0: not yet',
  });
  const deadRows = gauge({
    name: 'leadback_dead_rows',
    help: 'Deleted rows that are still in a table, by estimate; vacuum removes them unless a long snapshot may need them',
    labels: { table: shortLivedTables },
  });
  const kinds = sourceKinds.map(({ name }) => name);
  const sources = gauge({
    name: 'leadback_sources',
    help: 'Shops and services from which sales come, by what is wrong with them; paused: events wait',
    labels: { kind: kinds, trouble: sourceConditions },
  });
  const clear = () => {
    for (const platform of destinationNames) {
      for (const waits_for of waitReasons) {
        waiting.set({ platform, waits_for }, 0);
        oldest.set({ platform, waits_for }, 0);
      }
      overdue.set({ platform }, 0);
      tried.set({ platform }, 0);
      for (const state of connectionStates) connections.set({ platform, state }, 0);
    }
  };
  return {
    show: (backlog) => {
      clear();
      for (const { platform, waitsFor, rows, oldestSeconds, triedSeconds, freeSeconds } of backlog.parts) {
        waiting.set({ platform, waits_for: waitsFor }, rows);
        oldest.set({ platform, waits_for: waitsFor }, oldestSeconds);
        if (waitsFor === 'retry') tried.set({ platform }, triedSeconds);
        if (waitsFor === 'worker') overdue.set({ platform }, freeSeconds);
      }
      for (const { platform, state, connections: count } of backlog.connections) {
        connections.set({ platform, state }, count);
      }
      untold.set(backlog.untold);
      measuredAt.setToCurrentTime();
    },
    showSources: (counts) => {
      for (const kind of kinds) for (const trouble of sourceConditions) sources.set({ kind, trouble }, 0);
      for (const { kind, trouble, sources: count } of counts)
        if (kinds.includes(kind)) sources.set({ kind, trouble }, count);
    },
    showDeadRows: (rows) => {
      for (const table of shortLivedTables) deadRows.set({ table }, rows.get(table) ?? 0);
    },
  };
};

const pauseMinMs = 14_000;
// limits measuring to a twentieth of the time of one connection, however long the backlog is
const pausesPerMeasurement = 20;

/** Measures the backlog about four times a minute. All instances of the API export the same values. */
const backlogWatch = (pool: JobsPool, { show, showDeadRows, showSources }: BacklogGauges) => {
  let pausedUntil = 0;
  return async (): Promise<boolean> => {
    const since = performance.now();
    if (since < pausedUntil) return false;
    try {
      // first: too many of them can slow the measurement down until it fails
      showDeadRows(await countDeadRows(pool));
      show(await measureBacklog(pool));
      showSources(await countSources(pool));
    } finally {
      const now = performance.now();
      pausedUntil = now + Math.max(pauseMinMs, pausesPerMeasurement * (now - since));
    }
    return false;
  };
};

/** Looks for what this process accepted once PostgreSQL was promoted: an asynchronous standby may lack it. */
const failoverWatch = (pool: JobsPool, accepted: AcceptedLog, events: Pick<ApiEvents, 'acceptedCompared'>) => {
  let known: string | undefined;
  return async (): Promise<boolean> => {
    const server = await readServer(pool);
    if (server !== undefined && known !== undefined && server !== known) {
      const all = accepted.all();
      events.acceptedCompared({ compared: all.length, lost: await compareAccepted(pool, all, server) });
    }
    known = server ?? known;
    return false;
  };
};

// requests come first: how long to pause after a slice, as a share of its time, and if requests wait for a connection
const pauseShare = 0.2;
const pauseShareUnderLoad = 3;

interface ImportRowsOptions {
  readonly jobs: JobsPool;
  readonly register: ItemRegistrars;
  /** See `ConversionRegistrarOptions`. */
  readonly announce: (parcels: readonly NewParcel[]) => void;
  readonly events: Pick<ApiEvents, 'rowsImported'>;
}

/** Registers the next rows of an imported file. */
export const importRows = async ({ jobs: pool, register, announce, events }: ImportRowsOptions): Promise<boolean> => {
  const since = performance.now();
  const step = await workOnNextImport(pool, register);
  if (!step) return false;
  if (step.parcels.length > 0) announce(step.parcels);
  events.rowsImported(step);
  await pause((performance.now() - since) * (pool.waitingCount > 0 ? pauseShareUnderLoad : pauseShare));
  return true;
};

interface ReconcileOptions {
  readonly jobs: JobsPool;
  readonly contacts: ContactCipher;
  /** See `ConversionRegistrarOptions`. */
  readonly announce: (parcels: readonly NewParcel[]) => void;
  readonly events: Pick<ApiEvents, 'conversionRegistered' | 'reconciliationDone' | 'reconciliationGivenUp'>;
}

/** Works off a slice of a reconciliation, see `workOnNextReconciliation`; counts and announces what it registers. */
export const reconcile = async ({ jobs, contacts, announce, events }: ReconcileOptions, id?: number) => {
  const slice = await workOnNextReconciliation(jobs, contacts, id);
  if (!slice) return undefined;
  const { outcomes = [], parcels = [] } = slice.registered ?? {};
  for (const result of outcomes) {
    if (result.outcome !== 'created') continue;
    events.conversionRegistered({ currency: result.currency, isTest: slice.mode.isTest });
  }
  if (parcels.length > 0) announce(parcels);
  if (slice.isDone && slice.error === undefined) events.reconciliationDone(slice);
  else if (slice.isDone) events.reconciliationGivenUp(slice);
  return slice;
};

const changesMax = 5_000;

// of a page and day: more than an advertiser compares, and few enough that invented names fill no disk: a row each for some 30
// measures and a day
const campaignsMax = 200;

/** Adds recorded changes to the metrics and the quality counts of their accounts. */
const metricsRollup = (pool: JobsPool, events: Pick<ApiEvents, 'metricsRolledUp'>) => {
  const rollers = [metricsRoller(campaignsMax), qualityRoller()];
  return async (): Promise<boolean> => {
    let isMore = false;
    for (const rollUp of rollers) if ((await rollUp(pool, changesMax)) === changesMax) isMore = true;
    if (!isMore) events.metricsRolledUp();
    return isMore;
  };
};

const stepPauseMaxMs = 500;

interface DailyPools {
  readonly jobs: JobsPool;
  readonly erasures: ErasuresPool;
}

/**
 * Takes a job of the day, if nobody else has: of several instances, one does it. After each step it pauses for as long as
 * the step took, half a second at most.
 */
export const dailyJob = (
  name: PeriodicJob,
  { jobs, erasures: unhurried }: DailyPools,
  events: Pick<ApiEvents, 'periodicJobDone'>,
) => {
  const work = periodicWorker(name, { jobs, unhurried }, randomUUID());
  return async (): Promise<boolean> => {
    const since = performance.now();
    const { isMore, finished } = await work();
    if (finished) events.periodicJobDone(finished);
    if (isMore) await pause(Math.min(performance.now() - since, stepPauseMaxMs));
    return isMore;
  };
};

/** Registers what sources tell, and counts it. */
const workOnSources = async (
  pool: JobsPool,
  tools: FetchingTools,
  events: Pick<ApiEvents, 'sourceWorked' | 'conversionRegistered' | 'conversionAdjusted'>,
): Promise<boolean> => {
  const since = performance.now();
  const worked = await workOnNextEvents(pool, tools);
  if (!worked) return false;
  events.sourceWorked(worked);
  for (const { created, adjusted } of worked.finished) {
    if (created) events.conversionRegistered(created);
    if (adjusted) events.conversionAdjusted(adjusted.kind, adjusted);
  }
  await pause((performance.now() - since) * (pool.waitingCount > 0 ? pauseShareUnderLoad : pauseShare));
  return true;
};

// small batches, so that they block no request
const recordsMax = 1_000;

interface ApiJobsOptions extends DailyPools {
  readonly contacts: ContactCipher;
  readonly register: ItemRegistrars;
  readonly announce: (parcels: readonly NewParcel[]) => void;
  readonly accepted: AcceptedLog;
  readonly refusals: RefusalCounter;
  readonly tools: ErasureTools;
  readonly backlog: BacklogGauges;
  readonly sources: FetchingTools;
  readonly events: ApiEvents;
}

/** What every instance of the API does beside its requests. */
export const apiJobs = (options: ApiJobsOptions): Readonly<Record<keyof typeof jobs.api, () => Promise<boolean>>> => {
  const { jobs: pool, erasures, accepted, refusals, tools, backlog, sources, events } = options;
  return {
    accepted: failoverWatch(pool, accepted, events),
    'attempt-partitions': dailyJob('attempt-partitions', options, events),
    backlog: backlogWatch(pool, backlog),
    'cut-off-lists': () => deleteCutOffList(pool),
    async erasures() {
      const step = await performNextErasure(erasures, tools);
      if (step) events.erasurePerformed(step);
      return step !== undefined;
    },
    'idempotency-records': async () => (await deleteExpiredResponses(pool, recordsMax)) === recordsMax,
    imports: () => importRows(options),
    async 'lapsed-erasures'() {
      const count = await lapseAskedErasures(pool);
      if (count > 0) events.erasuresLapsed(count);
      return false;
    },
    reconciliations: async () => (await reconcile(options)) !== undefined,
    async 'refused-imports'() {
      await cleanUpImports(pool);
      return false;
    },
    retention: dailyJob('retention', options, events),
    'roll-up': metricsRollup(pool, events),
    async 'source-catch-up'() {
      const caughtUp = await catchUpNextSource(pool, sources);
      if (caughtUp && caughtUp.results.length > 0) events.sourceFetched(caughtUp);
      return caughtUp !== undefined;
    },
    async 'source-fetches'() {
      const fetched = await fetchForNextEvents(pool, sources);
      if (fetched) events.sourceFetched(fetched);
      return fetched !== undefined;
    },
    async 'source-refusals'() {
      await refusals.save(pool);
      return false;
    },
    'source-retention': async () => (await deleteOldEvents(pool, sourceEventDays, recordsMax)) === recordsMax,
    sources: () => workOnSources(pool, sources, events),
  };
};
