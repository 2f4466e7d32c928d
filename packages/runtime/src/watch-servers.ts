import { instruments } from './instruments.ts';
import type { Metrics } from './metrics.ts';

interface WatchedPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

interface WatchedDatabase {
  /** May throw. */
  readonly answers: () => Promise<boolean>;
  readonly pool: WatchedPool;
}

/** Exports whether the database responds, how fast, and the use of its connections, with those of other pools. */
export const watchDatabase = (
  metrics: Metrics,
  { answers, pool }: WatchedDatabase,
  ...others: readonly WatchedPool[]
): void => {
  const sum = (countOf: (one: WatchedPool) => number) =>
    [pool, ...others].reduce((total, one) => total + countOf(one), 0);
  const { gauge } = instruments(metrics);
  // first, because the check below takes a connection too
  gauge({
    name: 'leadback_database_connections',
    help: 'Database connections: busy, idle, and requests that wait for one',
    labels: { state: ['busy', 'idle', 'awaited'] },
    refresh(connections) {
      connections.set(
        { state: 'busy' },
        sum(({ totalCount, idleCount }) => totalCount - idleCount),
      );
      connections.set(
        { state: 'idle' },
        sum(({ idleCount }) => idleCount),
      );
      connections.set(
        { state: 'awaited' },
        sum(({ waitingCount }) => waitingCount),
      );
    },
  });

  const check = async () => {
    const since = performance.now();
    const isUp = await answers().catch(() => false);
    return { isUp, seconds: (performance.now() - since) / 1000 };
  };
  let running: ReturnType<typeof check> | undefined;
  const checkOnce = () => {
    running ??= check().finally(() => {
      running = undefined;
    });
    return running;
  };
  gauge({
    name: 'leadback_database_up',
    help: 'Whether the database responded to the last check: 1 or 0',
    refresh: async (up) => up.set((await checkOnce()).isUp ? 1 : 0),
  });
  gauge({
    name: 'leadback_database_answer_seconds',
    help: 'Duration of a minimal statement, including the wait for a connection',
    refresh: async (answer) => answer.set((await checkOnce()).seconds),
  });
};

export const watchBroker = (metrics: Metrics, isUp: () => boolean): void => {
  instruments(metrics).gauge({
    name: 'leadback_broker_up',
    help: 'Whether the app is connected to RabbitMQ and RabbitMQ accepts messages: 1 or 0',
    refresh: (up) => up.set(isUp() ? 1 : 0),
  });
};
