import type { Metrics } from '@leadback/runtime';
import express, { type Express } from 'express';
import type { OpenConnections } from './serve.ts';

export interface ReadinessCheck {
  readonly name: string;
  readonly isReady: () => boolean | Promise<boolean>;
}

export interface OperationsOptions {
  readonly metrics: Metrics;
  readonly checks: readonly ReadinessCheck[];
  /** Of the public server, if there is one. */
  readonly connections?: () => OpenConnections | undefined;
}

const passes = async ({ isReady }: ReadinessCheck): Promise<boolean> => {
  try {
    return await isReady();
  } catch {
    return false;
  }
};

/** `/health` (the process responds), `/ready` (it can serve; lists every check, and how many connections are open), `/metrics`. */
export const operationsApp = ({ metrics, checks, connections }: OperationsOptions): Express => {
  const app = express().disable('x-powered-by');
  app.get('/health', (_request, response) => {
    response.json({ status: 'alive' });
  });
  app.get('/ready', async (_request, response) => {
    const results = await Promise.all(checks.map(async (check) => [check.name, await passes(check)] as const));
    const isReady = results.every(([, passed]) => passed);
    response
      .status(isReady ? 200 : 503)
      .json({ ready: isReady, checks: Object.fromEntries(results), connections: connections?.() });
  });
  app.get('/metrics', async (_request, response) => {
    response.set('Content-Type', metrics.contentType).send(await metrics.metrics());
  });
  return app;
};
