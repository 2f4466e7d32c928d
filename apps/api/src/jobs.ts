import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Backlog, waitReasons, measureBacklog } from '@leadback/core/delivery/due';
import type { NewParcel } from '@leadback/core/delivery/enqueue';
import { connectionStates, destinationNames } from '@leadback/domain';
import { type ShortLivedTable, shortLivedTables, countDeadRows, metricsRoller } from '@leadback/core/metrics/metrics';
import { qualityRoller } from '@leadback/core/quality/quality';
import { instruments, type Metrics, repeat } from '@leadback/server/app';
import { lapseAskedErasures } from '@leadback/core/erasure/ask/asked-erasures';
import { type ErasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { compareAccepted, readServer } from '@leadback/core/accepted';
import { deleteExpiredResponses } from '@leadback/core/once';
import { periodicWorker } from '@leadback/core/periodic';
import { type Contacts, periodicJobs } from '@leadback/db';
import { cleanUpImports } from '@leadback/core/imports/store';
import { type ItemRegistrars, workOnNextImport } from '@leadback/core/imports/work';
import { deleteCutOffList } from '@leadback/core/reconciliation/create';
import { workOnNextReconciliation } from '@leadback/core/reconciliation/work';
import type { ApiEvents } from './events.ts';
import type { ErasuresPool, JobsPool } from './pools.ts';
import type { AcceptedLog } from './accepted.ts';

interface BacklogGauges {
  readonly show: (backlog: Backlog) => void;
  readonly showDeadRows: (rows: ReadonlyMap<ShortLivedTable, number>) => void;
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
    help: 'Time since the first attempt of the delivery that has been retried longest',
    labels: { platform: destinationNames },
  });
  const overdue = gauge({
    name: 'leadback_deliveries_overdue_seconds',
    help: 'Time for which the delivery that waits longest for a worker has been due',
    labels: { platform: destinationNames },
  });
  const connections = gauge({
    name: 'leadback_connections',
    help: 'Platform connections and webhooks, by state',
    labels: { platform: destinationNames, state: connectionStates },
  });
  const measuredAt = gauge({
    name: 'leadback_backlog_measured_timestamp_seconds',
    help: 'Time of the last measurement of the backlog, in seconds since 1970; 0: not yet',
  });
  const deadRows = gauge({
    name: 'leadback_dead_rows',
    help: 'Deleted rows that are still in a table of short-lived rows, by estimate; vacuum removes them unless a long snapshot may need them',
    labels: { table: shortLivedTables },
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
      measuredAt.setToCurrentTime();
    },
    showDeadRows: (rows) => {
      for (const table of shortLivedTables) deadRows.set({ table }, rows.get(table) ?? 0);
    },
  };
};

const backlogEveryMs = 5_000;
const pauseMinMs = 14_000;
// limits measuring to a twentieth of the time of one connection, however long the backlog is
const pausesPerMeasurement = 20;

/** Measures the backlog about four times a minute. Every instance of the API does; all export the same values. */
export const backlogWatch = (
  pool: JobsPool,
  { show, showDeadRows }: BacklogGauges,
  events: Pick<ApiEvents, 'backlogNotMeasured'>,
): AsyncDisposable => {
  let pausedUntil = 0;
  return repeat({
    everyMs: backlogEveryMs,
    async round() {
      const since = performance.now();
      if (since < pausedUntil) return false;
      try {
        // first: too many of them can slow the measurement down until it fails
        showDeadRows(await countDeadRows(pool));
        show(await measureBacklog(pool));
      } finally {
        const now = performance.now();
        pausedUntil = now + Math.max(pauseMinMs, pausesPerMeasurement * (now - since));
      }
      return false;
    },
    onFailure: events.backlogNotMeasured,
  });
};

const lapsesEveryMs = 60_000;

/** Ends the erasures that visitors asked for and no account has confirmed in time. Every instance of the API does. */
export const erasureLapses = (
  pool: JobsPool,
  events: Pick<ApiEvents, 'erasuresLapsed' | 'erasuresNotPerformed'>,
): AsyncDisposable =>
  repeat({
    everyMs: lapsesEveryMs,
    async round() {
      const count = await lapseAskedErasures(pool);
      if (count > 0) events.erasuresLapsed(count);
      return false;
    },
    onFailure: events.erasuresNotPerformed,
  });

const erasuresEveryMs = 1_000;

/**
 * Performs erasures that were asked for, one at a time. Every instance of the API does. `pool`: see
 * `performNextErasure`.
 */
export const erasures = (
  pool: ErasuresPool,
  tools: ErasureTools,
  events: Pick<ApiEvents, 'erasurePerformed' | 'erasuresNotPerformed'>,
): AsyncDisposable =>
  repeat({
    everyMs: erasuresEveryMs,
    async round() {
      const step = await performNextErasure(pool, tools);
      if (step) events.erasurePerformed(step);
      return step !== undefined;
    },
    onFailure: events.erasuresNotPerformed,
  });

const failoversEveryMs = 5_000;

/**
 * Looks for what this process accepted once PostgreSQL was promoted: an asynchronous standby may lack it. Every instance of
 * the API runs one.
 */
export const failoverWatch = (pool: JobsPool, accepted: AcceptedLog, events: ApiEvents): AsyncDisposable => {
  let known: string | undefined;
  return repeat({
    everyMs: failoversEveryMs,
    round: async () => {
      const server = await readServer(pool);
      if (server !== undefined && known !== undefined && server !== known) {
        const all = accepted.all();
        events.acceptedCompared({ compared: all.length, lost: await compareAccepted(pool, all, server) });
      }
      known = server ?? known;
      return false;
    },
    onFailure: events.acceptedNotCompared,
  });
};

const idempotencyEveryMs = 60_000;
// small batches, so that they block no request
const rowsMax = 1_000;

/** Deletes expired idempotent responses. Every instance of the API runs one. */
export const idempotencyCleanup = (pool: JobsPool, events: ApiEvents): AsyncDisposable =>
  repeat({
    everyMs: idempotencyEveryMs,
    round: async () => (await deleteExpiredResponses(pool, rowsMax)) === rowsMax,
    onFailure: events.cleanupFailed,
  });

const importsEveryMs = 1_000;
const importsCleanUpEveryMs = 10_000;
// requests come first: how long to pause after a slice, as a share of its time, and if requests wait for a connection
const pauseShare = 0.2;
const pauseShareUnderLoad = 3;

interface ImportRowsOptions {
  readonly register: ItemRegistrars;
  /** See `ConversionRegistrarOptions`. */
  readonly announce: (parcels: readonly NewParcel[]) => void;
  readonly events: Pick<ApiEvents, 'rowsImported' | 'importFailed'>;
}

/** Registers the rows of imported files, one slice at a time. Every instance of the API runs one. */
export const importRows = (pool: JobsPool, { register, announce, events }: ImportRowsOptions): AsyncDisposable => {
  let cleanUpAt = 0;
  return repeat({
    everyMs: importsEveryMs,
    async round() {
      const since = performance.now();
      if (since >= cleanUpAt) {
        cleanUpAt = since + importsCleanUpEveryMs;
        await cleanUpImports(pool);
      }
      const step = await workOnNextImport(pool, register);
      if (!step) return false;
      if (step.parcels.length > 0) announce(step.parcels);
      events.rowsImported(step);
      await pause((performance.now() - since) * (pool.waitingCount > 0 ? pauseShareUnderLoad : pauseShare));
      return true;
    },
    onFailure: events.importFailed,
  });
};

// reads include changes that are not rolled up yet; this only keeps their number low
const rollUpEveryMs = 5_000;
const changesMax = 5_000;

// of a page and day: more than an advertiser compares, and few enough that invented names fill no disk: a row each for some 30
// measures and a day
const campaignsMax = 200;

/** Adds recorded changes to the metrics and the quality counts of their accounts. Every instance of the API runs one. */
export const metricsRollup = (pool: JobsPool, events: ApiEvents): AsyncDisposable => {
  const rollers = [metricsRoller(campaignsMax), qualityRoller()];
  return repeat({
    everyMs: rollUpEveryMs,
    async round() {
      let isMore = false;
      for (const rollUp of rollers) if ((await rollUp(pool, changesMax)) === changesMax) isMore = true;
      if (!isMore) events.metricsRolledUp();
      return isMore;
    },
    onFailure: events.rollupFailed,
  });
};

const reconciliationEveryMs = 500;

const listsCleanUpEveryMs = 60_000;

/** Deletes lists whose upload was cut off. Every instance of the API runs one. */
export const cutOffListCleanup = (pool: JobsPool, events: Pick<ApiEvents, 'reconciliationFailed'>): AsyncDisposable =>
  repeat({
    everyMs: listsCleanUpEveryMs,
    round: () => deleteCutOffList(pool),
    onFailure: events.reconciliationFailed,
  });

interface ReconcileOptions {
  readonly jobs: JobsPool;
  readonly contacts: Contacts;
  /** See `ConversionRegistrarOptions`. */
  readonly announce: (parcels: readonly NewParcel[]) => void;
  readonly events: Pick<
    ApiEvents,
    'conversionRegistered' | 'reconciliationDone' | 'reconciliationGivenUp' | 'reconciliationFailed'
  >;
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

/** Works off lists that are compared and missing conversions that are registered. Every instance of the API runs one. */
export const reconciliationJob = (options: ReconcileOptions): AsyncDisposable =>
  repeat({
    everyMs: reconciliationEveryMs,
    round: async () => (await reconcile(options)) !== undefined,
    onFailure: options.events.reconciliationFailed,
  });

const periodicEveryMs = 60_000;
const periodicPauseMaxMs = 500;

/**
 * Takes the jobs of the day that nobody else has taken: retention, and the partitions of attempts. After each step it pauses
 * for as long as the step took, half a second at most. Every instance of the API runs one; of several, one does each job.
 */
export const periodicJobsOf = (
  { jobs, erasures: unhurried }: { readonly jobs: JobsPool; readonly erasures: ErasuresPool },
  events: Pick<ApiEvents, 'periodicJobDone' | 'periodicJobFailed'>,
): AsyncDisposable => {
  const holder = randomUUID();
  const running = new AsyncDisposableStack();
  for (const name of periodicJobs) {
    const work = periodicWorker(name, { jobs, unhurried }, holder);
    running.use(
      repeat({
        everyMs: periodicEveryMs,
        async round() {
          const since = performance.now();
          const { isMore, finished } = await work();
          if (finished) events.periodicJobDone(finished);
          if (isMore) await pause(Math.min(performance.now() - since, periodicPauseMaxMs));
          return isMore;
        },
        onFailure: (error) => events.periodicJobFailed(name, error),
      }),
    );
  }
  return running;
};
