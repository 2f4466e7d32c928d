import { type Backlog, waitReasons } from '@leadback/delivery';
import { connectionStates, destinationNames } from '@leadback/domain';
import { type ShortLivedTable, shortLivedTables } from '@leadback/reports';
import { instruments, type Metrics } from '@leadback/runtime';

export interface BacklogGauges {
  readonly show: (backlog: Backlog) => void;
  readonly showDeadRows: (rows: ReadonlyMap<ShortLivedTable, number>) => void;
}

/** Exports the pending deliveries, and what a search for them has to skip, as of the last measurement. */
export const backlogGauges = (metrics: Metrics): BacklogGauges => {
  const { gauge } = instruments(metrics);
  const part = { platform: destinationNames, waits_for: waitReasons };
  const waiting = gauge({
    name: 'leadback_feedback_waiting',
    help: 'Pending deliveries, by what they wait for: a worker, their next attempt, or an operator (paused, needs_attention)',
    labels: part,
  });
  const oldest = gauge({
    name: 'leadback_feedback_waiting_oldest_seconds',
    help: 'Age of the oldest conversion with a pending delivery, since it occurred, by what the delivery waits for',
    labels: part,
  });
  const tried = gauge({
    name: 'leadback_feedback_tried_oldest_seconds',
    help: 'Time since the first attempt of the delivery that has been retried longest',
    labels: { platform: destinationNames },
  });
  const overdue = gauge({
    name: 'leadback_feedback_overdue_seconds',
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
