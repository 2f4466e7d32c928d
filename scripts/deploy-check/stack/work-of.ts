import { footprintIn, sumIn } from '../../../tests/support/metrics.ts';
import type { Container } from './compose-stack.ts';

const operationsPorts = { landing: 9100, api: 9101, 'feedback-worker': 9102, console: 9103 } as const;
export type App = keyof typeof operationsPorts;

const metricsOf = async (app: App, { NetworkSettings }: Container): Promise<string> => {
  const [network] = Object.values(NetworkSettings.Networks);
  return await (await fetch(`http://${network?.IPAddress}:${operationsPorts[app]}/metrics`)).text();
};

/** What each of an app's containers has counted: requests, or deliveries of workers. */
export const workOf = async (app: App, containers: readonly Container[]): Promise<number[]> => {
  const name = app === 'feedback-worker' ? 'leadback_feedback_settled_total' : 'leadback_http_request_seconds_count';
  return Promise.all(containers.map(async (container) => sumIn(await metricsOf(app, container), name)));
};

export interface Usage {
  readonly memoryMb: number;
  /** Without database connections: pools open as many as work at once needs, up to their limit. */
  readonly sockets: number;
  /** Work in progress has some. Without those of idle database connections. */
  readonly timers: number;
}

/** What an app uses now. Throws if it does not respond. */
export const usageOf = async (app: App, container: Container): Promise<Usage> => {
  const metrics = await metricsOf(app, container);
  const open = (type: string) => sumIn(metrics, 'nodejs_active_resources', { type });
  const connections = (state: 'busy' | 'idle') => sumIn(metrics, 'leadback_database_connections', { state });
  const { memoryMb } = footprintIn(metrics);
  return {
    memoryMb,
    sockets: open('TCPSocketWrap') - connections('busy') - connections('idle'),
    timers: open('Timeout') - connections('idle'),
  };
};
