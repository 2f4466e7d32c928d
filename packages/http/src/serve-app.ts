import { instruments } from '@leadback/runtime';
import type { Express } from 'express';
import { type OperationsOptions, operationsApp } from './operations.ts';
import { requestMeter } from './request-meter.ts';
import { serve, type ServeOptions } from './serve.ts';
import { takeTurns, type Turns } from './take-turns.ts';

export interface ServedApp extends OperationsOptions {
  readonly host: string;
  readonly operationsHost: string;
  readonly operationsPort: number;
  /** The public server of the app, if it has one. */
  readonly offered?: Pick<ServeOptions, 'port' | 'mayTakeLong'> & {
    readonly listener: Express;
    /** How many connections a network address may have. Undefined: any number. */
    readonly perAddress: number | undefined;
    /** If requests may be refused in an overload: see `takeTurns`. */
    readonly turns?: Turns;
  };
}

// longer than two checks of /ready by a load balancer that checks every half second
const drainMs = 1_500;

/**
 * Serves the operations port and the public server, which it measures. Disposing drains: `/ready` fails at once,
 * requests are served for a while, and the operations port closes last.
 */
export const serveApp = async ({
  host,
  operationsHost,
  operationsPort,
  offered,
  metrics,
  checks,
}: ServedApp): Promise<AsyncDisposable> => {
  let isDraining = false;
  const serving = { name: 'serving', isReady: () => !isDraining };
  await using servers = new AsyncDisposableStack();
  servers.use(
    await serve(operationsApp({ metrics, checks: [serving, ...checks] }), {
      host: operationsHost,
      port: operationsPort,
    }),
  );
  const onDraining = () => {
    isDraining = true;
  };
  if (offered) {
    const { listener: express, perAddress, turns, ...offer } = offered;
    const refused = instruments(metrics).counter({
      name: 'leadback_connections_refused_total',
      help: 'Connections that were closed at once, because their network address has as many as CONNECTIONS_PER_ADDRESS',
    });
    const connectionLimit = perAddress !== undefined && { perAddress, onRefused: () => refused.inc() };
    const options = { ...offer, host, drainMs, onDraining, express, ...(connectionLimit && { connectionLimit }) };
    servers.use(await serve(requestMeter(metrics, turns ? takeTurns(express, turns) : express), options));
  }
  return servers.move();
};
