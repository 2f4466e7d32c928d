import type { ClaimedParcel } from '@leadback/core/delivery/claim';
import type { NextState } from '@leadback/core/delivery/settle';
import type { Outcome } from '@leadback/domain';
import type { DeliveryCore } from './core.ts';
import type { Happened, Model, ModelClaim, ModelConnection, ModelDelivery } from './model.ts';
import { type PlatformDouble, platformDouble } from './platform-double.ts';

/** What an idempotency key stands for. */
export interface StoredResponse {
  readonly body: string;
  readonly saleId: number;
  readonly code: string;
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
  readonly keys: Map<string, StoredResponse>;
  /** What the sequence went through, such as states and reasons of deliveries. */
  readonly seen: Set<string>;
  /** Milliseconds since 1970. The age of clicks and sales is counted from here. */
  readonly startedAt: number;
}

export const newRun = async (core: DeliveryCore): Promise<Run> => {
  await core.reset();
  const connections = core.connections.map((connection): ModelConnection => {
    return { ...connection, state: 'active', version: 1, isResumed: false, isDeleted: false };
  });
  const model = {
    connections,
    clients: new Map(),
    sales: new Map(),
    deliveries: new Map(),
    parcels: new Set<never>(),
    transitions: new Set<string>(),
  };
  const begin = {
    core,
    model,
    platform: platformDouble(),
    claims: [],
    hints: new Set<never>(),
    keys: new Map<never, never>(),
  };
  return { ...begin, seen: new Set(), startedAt: Date.now() };
};

/** A claim that a worker holds: by the core, and by the model. */
export interface HeldClaim {
  readonly real: ClaimedParcel;
  readonly model: ModelClaim;
  /** Undefined: nothing of it was sent yet. */
  sent?: readonly Sent[];
}

export interface Sent {
  readonly delivery: ModelDelivery;
  readonly happened: Happened;
  readonly next: NextState;
  readonly kind: Exclude<Outcome['kind'], 'postponed'> | undefined;
}

/** One of what there is now. */
export const chosen = <Item>(items: readonly Item[], number: number): Item | undefined => items[number % items.length];

export const sorted = (ids: Iterable<number>): string => [...ids].toSorted((one, other) => one - other).join();
