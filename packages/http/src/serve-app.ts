import type { RequestListener } from 'node:http';
import { type OperationsOptions, operationsApp } from './operations.ts';
import { requestMeter } from './request-meter.ts';
import { serve } from './serve.ts';

export interface ServedApp extends OperationsOptions {
  readonly host: string;
  readonly operationsPort: number;
  /** What the app offers to the world, if anything. */
  readonly offered?: { readonly port: number; readonly listener: RequestListener };
}

// long enough for a load balancer that asks /ready every half second
const drainMs = 1_500;

/**
 * Serves the operations port, and what the app offers, which it measures. Disposing drains: `/ready` says no at once, requests are still
 * answered for a while, and the operations port closes last.
 */
export const serveApp = async ({
  host,
  operationsPort,
  offered,
  metrics,
  checks,
}: ServedApp): Promise<AsyncDisposable> => {
  let isDraining = false;
  const serving = { name: 'serving', isReady: () => !isDraining };
  await using servers = new AsyncDisposableStack();
  servers.use(await serve(operationsApp({ metrics, checks: [serving, ...checks] }), { host, port: operationsPort }));
  const onDraining = () => {
    isDraining = true;
  };
  if (offered) {
    const listener = requestMeter(metrics, offered.listener);
    servers.use(await serve(listener, { host, port: offered.port, drainMs, onDraining }));
  }
  return servers.move();
};
