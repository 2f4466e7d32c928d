import { destinationNames } from '@leadback/domain';
import { instruments, type Metrics } from '@leadback/server/app';
import type { DeliveryLoop } from './consume.ts';

/** Exports what a worker holds, and which circuits are open in it. */
export const deliveryGauges = (
  metrics: Metrics,
  { held, openCircuits }: Pick<DeliveryLoop, 'held' | 'openCircuits'>,
): void => {
  const { gauge } = instruments(metrics);
  gauge({
    name: 'leadback_deliveries_held',
    help: 'Deliveries in the memory of this worker, from their claim until their outcome is saved',
    refresh: (one) => one.set(held()),
  });
  gauge({
    name: 'leadback_connections_resting',
    help: 'Connections whose circuit is open in this worker: their platform fails or throttles',
    labels: { platform: destinationNames },
    refresh(open) {
      for (const platform of destinationNames) open.set({ platform }, 0);
      for (const platform of openCircuits()) open.inc({ platform });
    },
  });
};
