import { type Footprint, footprintIn, sumIn } from '../../../tests/support/metrics.ts';
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

/** Memory and open resources of an app. Throws if it does not respond. */
export const footprintOf = async (app: App, container: Container): Promise<Footprint> =>
  footprintIn(await metricsOf(app, container));
