import { collectDefaultMetrics, Registry } from 'prom-client';

export type Metrics = Registry;

/** Includes the default metrics of the Node.js process. */
export const createMetrics = (app: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ app });
  collectDefaultMetrics({ register: registry });
  return registry;
};
