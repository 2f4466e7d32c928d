import type { Connection } from '../../../src/contract/connections.ts';
import type { Tone } from '../../parts/badge.tsx';

export type Health = 'active' | 'retrying' | 'unavailable' | 'paused' | 'rejected';

export const healthTones: Readonly<Record<Health, Tone>> = {
  active: 'good',
  retrying: 'warn',
  unavailable: 'warn',
  paused: 'plain',
  rejected: 'bad',
};

// the worker sends nothing for a while, because the platform fails or throttles
const circuitIsOpen = 'connection_rests';

export const healthOf = ({ state, retrying, retryReason }: Connection): Health => {
  if (state === 'needs_attention') return 'rejected';
  if (state === 'paused') return 'paused';
  if (retrying === 0) return 'active';
  return retryReason === circuitIsOpen ? 'unavailable' : 'retrying';
};
