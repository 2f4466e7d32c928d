import { instruments } from './instruments.ts';
import type { Metrics } from './metrics.ts';

interface WatchedDatabase {
  /** Whether it answers now; may throw. */
  readonly answers: () => Promise<boolean>;
  readonly pool: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };
}

/** Shows whether an app reaches its database, how long that takes, and how it uses its connections. */
export const watchDatabase = (metrics: Metrics, { answers, pool }: WatchedDatabase): void => {
  const { gauge } = instruments(metrics);
  // looked at first, for the question below takes a connection as well
  gauge({
    name: 'leadback_database_connections',
    help: 'Connections to the database that are at work, that are idle, and how many callers wait for one',
    labels: { state: ['busy', 'idle', 'awaited'] },
    refresh(connections) {
      connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      connections.set({ state: 'idle' }, pool.idleCount);
      connections.set({ state: 'awaited' }, pool.waitingCount);
    },
  });

  const ask = async () => {
    const since = performance.now();
    const isUp = await answers().catch(() => false);
    return { isUp, seconds: (performance.now() - since) / 1000 };
  };
  let asked: ReturnType<typeof ask> | undefined;
  const askOnce = () => {
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    return asked;
  };
  gauge({
    name: 'leadback_database_up',
    help: 'Whether the database answered when it was last tried: 1 or 0',
    refresh: async (up) => up.set((await askOnce()).isUp ? 1 : 0),
  });
  gauge({
    name: 'leadback_database_answer_seconds',
    help: 'How long the simplest statement took when it was last tried, with the wait for a connection',
    refresh: async (answer) => answer.set((await askOnce()).seconds),
  });
};

/** Shows whether the broker takes, or gives, what an app wants of it. */
export const watchBroker = (metrics: Metrics, isUp: () => boolean): void => {
  instruments(metrics).gauge({
    name: 'leadback_broker_up',
    help: 'Whether the app is connected to RabbitMQ, and RabbitMQ takes messages: 1 or 0',
    refresh: (up) => up.set(isUp() ? 1 : 0),
  });
};
