import { type PlatformName, platformNames } from '@leadback/domain';
import { instruments, type Metrics } from '@leadback/runtime';

/** Shows how many connections rest in this worker; `resting` gives the platform of each. */
export const openCircuitGauge = (metrics: Metrics, openCircuits: () => readonly PlatformName[]): void => {
  instruments(metrics).gauge({
    name: 'leadback_connections_resting',
    help: 'Connections to which this worker sends nothing now: their platform is in trouble, or asks for fewer requests',
    labels: { platform: platformNames },
    refresh(rests) {
      for (const platform of platformNames) rests.set({ platform }, 0);
      for (const platform of openCircuits()) rests.inc({ platform });
    },
  });
};
