import { type PlatformName, platformNames } from '@leadback/domain';
import { instruments, type Metrics } from '@leadback/runtime';

/** Counts this worker's open circuits; `openCircuits` returns the platform of each. */
export const openCircuitGauge = (metrics: Metrics, openCircuits: () => readonly PlatformName[]): void => {
  instruments(metrics).gauge({
    name: 'leadback_connections_resting',
    help: 'Connections whose circuit is open in this worker: their platform fails or throttles',
    labels: { platform: platformNames },
    refresh(rests) {
      for (const platform of platformNames) rests.set({ platform }, 0);
      for (const platform of openCircuits()) rests.inc({ platform });
    },
  });
};
