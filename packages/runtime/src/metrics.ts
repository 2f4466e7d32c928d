import { collectDefaultMetrics, Registry } from 'prom-client';

export type Metrics = Registry;

/** The registry of one app, with the process's own figures in it. */
export const createMetrics = (app: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ app });
  collectDefaultMetrics({ register: registry });
  return registry;
};
