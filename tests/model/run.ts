import type { DeliveryCore } from './core.ts';
import type { Model, ModelConnection } from './model.ts';
import { type PlatformDouble, platformDouble } from './platform-double.ts';
import type { HeldClaim } from './worker.ts';

/** What an idempotency key stands for. */
export interface StoredAnswer {
  readonly body: string;
  readonly saleId: number;
  readonly isCreated: boolean;
}

/** One sequence: the core and the model, side by side. */
export interface Run {
  readonly core: DeliveryCore;
  readonly model: Model;
  readonly platform: PlatformDouble;
  /** What workers hold now. */
  readonly claims: HeldClaim[];
  /** The ids of all parcels that have been. */
  readonly hints: Set<number>;
  /** By account and number of the order. */
  readonly keys: Map<string, StoredAnswer>;
  /** The states and reasons of deliveries. */
  readonly seen: Set<string>;
}

export const newRun = async (core: DeliveryCore): Promise<Run> => {
  await core.reset();
  const connections = core.connections.map((connection): ModelConnection => {
    return { ...connection, state: 'active', version: 1, isResumed: false };
  });
  const model = {
    connections,
    sales: new Map(),
    deliveries: new Map(),
    parcels: new Set<never>(),
    transitions: new Set<string>(),
  };
  return { core, model, platform: platformDouble(), claims: [], hints: new Set(), keys: new Map(), seen: new Set() };
};
