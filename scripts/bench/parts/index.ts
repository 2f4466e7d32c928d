import type { Part } from '../part.ts';
import { commits, http } from './alone.ts';
import { backlog } from './backlog.ts';
import { clients } from './clients.ts';
import { conversions } from './conversions.ts';
import { delivered } from './delivered.ts';
import { landing } from './landing.ts';
import { latency } from './latency.ts';

/** In execution order. */
export const parts: ReadonlyMap<string, Part> = new Map(
  Object.entries({ http, commits, landing, clients, conversions, delivered, latency, backlog }),
);
