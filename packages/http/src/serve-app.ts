import { instruments } from '@leadback/runtime';
import type { Express } from 'express';
import { type OperationsOptions, operationsApp } from './operations.ts';
import { requestMeter } from './request-meter.ts';
import { closeReasons } from './connections.ts';
import { type Served, serve, type ServeOptions } from './serve.ts';
import { takeTurns, type Turns } from './take-turns.ts';

export interface ServedApp extends Omit<OperationsOptions, 'connections'> {
  readonly host: string;
  readonly operationsHost: string;
  readonly operationsPort: number;
  /** The public server of the app, if it has one. */
  readonly offered?: Pick<ServeOptions, 'port' | 'mayTakeLong'> & {
    readonly listener: Express;
    /** How many connections a network may have: see `ConnectionLimits`. Undefined: any number. */
    readonly perNetwork: number | undefined;
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
  let publicServer: Served | undefined;
  const serving = { name: 'serving', isReady: () => !isDraining };
  await using servers = new AsyncDisposableStack();
  servers.use(
    await serve(
      operationsApp({ metrics, checks: [serving, ...checks], connections: () => publicServer?.connections() }),
      {
        host: operationsHost,
        port: operationsPort,
      },
    ),
  );
  const onDraining = () => {
    isDraining = true;
  };
  if (offered) {
    const { listener: express, perNetwork, turns, ...offer } = offered;
    const { counter, gauge } = instruments(metrics);
    const closed = counter({
      name: 'leadback_http_connections_closed_total',
      help: 'Connections that were closed to make room for new ones: their network had too many, the process had too many, or they had sent nothing for two seconds',
      labels: { reason: closeReasons },
    });
    const dropped = counter({
      name: 'leadback_http_connections_dropped_total',
      help: 'Connections that were refused because the process had as many as it takes',
    });
    gauge({
      name: 'leadback_http_connections',
      help: 'Open connections of the public server',
      refresh: (set) => set.set(publicServer?.connections().open ?? 0),
    });
    publicServer = await serve(requestMeter(metrics, turns ? takeTurns(express, turns) : express), {
      ...offer,
      host,
      drainMs,
      onDraining,
      express,
      connections: {
        ...(perNetwork !== undefined && { perNetwork }),
        onClosed: (reason) => closed.inc({ reason }),
        onDropped: () => dropped.inc(),
      },
    });
    servers.use(publicServer);
  }
  return servers.move();
};
