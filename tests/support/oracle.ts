import type { Entry } from './ledger.ts';
import type { Footprint } from './metrics.ts';
import { eventId, type SandboxEvent } from './sandbox.ts';

interface StoredDelivery {
  readonly id: number;
  readonly conversion: number;
  readonly connection: number;
  readonly state: string;
  readonly reason?: string | null;
  readonly parcelId?: number | null;
}

/** Everything observable after the faults, when nothing is pending. */
export interface Facts {
  readonly entries: readonly Pick<Entry, 'reference' | 'connections' | 'statuses' | 'ids'>[];
  readonly conversions: readonly {
    readonly id: number;
    readonly reference: string | null;
    readonly eventId: string;
  }[];
  readonly deliveries: readonly StoredDelivery[];
  /** The number of parcels of open deliveries. */
  readonly parcels: number;
  /** `name`: the id of the connection at its platform. */
  readonly connections: readonly { readonly id: number; readonly platform: string; readonly name: string }[];
  readonly events: readonly SandboxEvent[];
  readonly queues: readonly { readonly queue: string; readonly messages: number }[];
  readonly logs: string;
  /** Texts that must not be in `logs` or `traces`. */
  readonly canaries: readonly string[];
  /** Rows about deliveries, and messages left in queues. */
  readonly traces: readonly { readonly index: string; readonly text: string }[];
  /** Differences between metrics and a recount. */
  readonly metricDifferences: readonly string[];
  readonly footprints: readonly { readonly app: string; readonly atStart: Footprint; readonly now: Footprint }[];
}

const memoryGrowthMaxMb = 250;
const resourcesGrowthMax = 150;
// logged by app.ts or by Node itself
const crash = /"level":"fatal"|Uncaught|Unhandled|MaxListenersExceeded|unhandled/;

const groupBy = <Item>(items: readonly Item[], keyOf: (item: Item) => unknown): Map<string, Item[]> =>
  Map.groupBy(items, (item) => String(keyOf(item)));

const ofConversions = ({ entries, conversions }: Facts): string[] => {
  const stored = groupBy(conversions, ({ reference }) => reference);
  const requested = new Set(entries.map(({ reference }) => reference));
  const unexplained = conversions.filter(({ reference }) => reference === null || !requested.has(reference));
  return [
    ...entries.flatMap(({ reference, statuses, ids }) => {
      const found = (stored.get(reference) ?? []).map(({ id }) => id);
      // without a response or with a 5xx status, the conversion may or may not be stored
      const isOpen = statuses.every((status) => status === undefined || status >= 500);
      const isRight = found.length === new Set(ids).size && found.every((id) => ids.includes(id));
      if (isRight || (isOpen && found.length === 1)) return [];
      return [`O1: ${reference} got ${statuses.join(', ')} (${ids.join(', ')}) but is stored as ${found.join(', ')}`];
    }),
    ...unexplained.map(({ id }) => `O1: conversion ${id} was not requested`),
  ];
};

const ofDeliveries = ({ entries, conversions, deliveries, parcels, queues }: Facts): string[] => {
  const requested = new Map(entries.map((entry) => [entry.reference, entry]));
  const stored = groupBy(deliveries, ({ conversion }) => conversion);
  const wrong = conversions.flatMap(({ id, reference }) => {
    const wanted = [...(requested.get(reference ?? '')?.connections ?? [])].toSorted((a, b) => a - b);
    const found = (stored.get(String(id)) ?? []).map(({ connection }) => connection).toSorted((a, b) => a - b);
    return wanted.join() === found.join()
      ? []
      : [`O2: conversion ${id} has deliveries for ${found.join()}, not for ${wanted.join()}`];
  });
  const open = deliveries.filter(({ state }) => !['delivered', 'failed', 'skipped'].includes(state));
  return [
    ...wrong,
    ...open.map(({ id, state, ...rest }) => `O3: delivery ${id} is ${state} (${JSON.stringify(rest)})`),
    ...(parcels > 0 ? [`O3: ${parcels} parcels are left`] : []),
    ...queues
      .filter(({ messages }) => messages > 0)
      .map(({ queue, messages }) => `O3: ${messages} messages left in ${queue}`),
  ];
};

/** Platform, connection and event id. */
const addressOf = (platform: string, name: string, id: string) => `${platform} ${name} ${id}`;

const ofEvents = ({ conversions, deliveries, connections, events }: Facts, duplicatesMax: number): string[] => {
  const known = new Map(connections.map((connection) => [connection.id, connection]));
  const eventIds = new Map(conversions.map((conversion) => [conversion.id, conversion.eventId]));
  const copies = groupBy(events, (one) => addressOf(one.platform, one.connection, eventId(one)));
  const addresses = deliveries.map(({ conversion, connection, state }) => {
    const { platform = '', name = '' } = known.get(connection) ?? {};
    return { state, address: addressOf(platform, name, eventIds.get(conversion) ?? '') };
  });
  const own = new Set(addresses.map(({ address }) => address));
  const duplicates = [...copies.values()].reduce((sum, { length }) => sum + length - 1, 0);
  return [
    ...addresses.flatMap(({ state, address }) => {
      const bodies = new Set(copies.get(address)?.map(({ event }) => JSON.stringify(event)));
      if (bodies.size > 1) return [`O4: the copies of ${address} differ`];
      return state === 'delivered' && bodies.size === 0 ? [`O4: ${address} never arrived`] : [];
    }),
    ...(duplicates > duplicatesMax ? [`O5: ${duplicates} duplicates, more than ${duplicatesMax}`] : []),
    ...[...copies.keys()].filter((address) => !own.has(address)).map((address) => `O6: ${address} has no delivery`),
  ];
};

const ofProcesses = ({ logs, footprints }: Facts): string[] => [
  ...logs
    .split('\n')
    .filter((line) => crash.test(line))
    .map((line) => `O7: ${line}`),
  ...footprints
    .filter(
      ({ atStart, now }) =>
        now.memoryMb > atStart.memoryMb + memoryGrowthMaxMb || now.resources > atStart.resources + resourcesGrowthMax,
    )
    .map((footprint) => `O7: ${JSON.stringify(footprint)}`),
];

const ofPrivacy = ({ canaries, logs, traces }: Facts): string[] =>
  [{ index: 'a log', text: logs }, ...traces].flatMap(({ index, text }) =>
    text
      .split('\n')
      .filter((line) => canaries.some((canary) => line.includes(canary)))
      .map((line) => `O9: ${index} contains personal or secret data: ${line}`),
  );

/** All violated promises, each with its number (O1 to O9). */
export const violationsIn = (facts: Facts, { duplicatesMax = 0 } = {}): string[] => [
  ...ofConversions(facts),
  ...ofDeliveries(facts),
  ...ofEvents(facts, duplicatesMax),
  ...ofProcesses(facts),
  ...facts.metricDifferences.map((difference) => `O8: ${difference}`),
  ...ofPrivacy(facts),
];
