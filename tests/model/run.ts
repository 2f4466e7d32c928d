import { isDeepStrictEqual } from 'node:util';
import type { ClaimedDelivery, ClaimedParcel } from '@leadback/core/delivery/claim';
import { heldBack, type NextState, nextState, postponed, type SettledDeliveries } from '@leadback/core/delivery/settle';
import { eventTooOld, type Outcome, Refusal } from '@leadback/domain';
import { expect } from 'vitest';
import { orRefusal } from '../../packages/core/test/or-refusal.ts';
import {
  type ModelClaim,
  claimParcel,
  failCrashed,
  isClaimable,
  isClaimableAlone,
  splitSuspects,
  type Model,
  type ModelConnection,
  type ModelDelivery,
  endLease,
  type ModelParcel,
  type ModelAdjustment,
  type ModelSale,
  takenBackBy,
  toldOfAdjustments,
  toldOfSales,
  passDays,
  passPauses,
  pause,
  resume,
  retry,
  type Happened,
  type ModelOutcome,
  settle,
} from './model.ts';
import { type DeliveryCore, clientReference } from './core.ts';
import type { Reply, Order, Step } from './steps.ts';

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

interface Copy {
  readonly deliveryId: number;
  readonly accountId: number;
  readonly connectionId: number;
  readonly eventId: string;
  readonly kind: string;
  readonly amount: number;
  readonly takenBack: number | undefined;
}

const copyOf = ({ connection }: ClaimedParcel, { deliveryId, event }: ClaimedDelivery): Copy => {
  const to = { deliveryId, accountId: connection.accountId, connectionId: connection.id };
  if (event.kind === 'conversion') {
    const { kind, eventId, amount } = event;
    return { ...to, kind, eventId, amount: Number(amount), takenBack: undefined };
  }
  if (!('conversion' in event)) throw new Error(`nobody registered a ${event.kind}`);
  const { kind, amount, takenBack, conversion } = event;
  return { ...to, kind, eventId: conversion.eventId, amount: Number(amount), takenBack: Number(takenBack) };
};

const expectedCopy = ({ id, connection, sale, adjustment }: ModelDelivery): Copy => ({
  deliveryId: id,
  accountId: sale.accountId,
  connectionId: connection.id,
  eventId: sale.eventId,
  kind: adjustment?.kind ?? 'conversion',
  amount: adjustment?.amount ?? sale.amount,
  takenBack: adjustment?.takenBack,
});

/** The platform of all connections: keeps a copy of each event that it accepts. */
export const platformDouble = () => {
  const copies: Copy[] = [];

  const wrong = (model: Model) =>
    copies.flatMap((copy) => {
      const delivery = model.deliveries.get(copy.deliveryId);
      const right = delivery && expectedCopy(delivery);
      if (isDeepStrictEqual(copy, right)) return [];
      return [`accepted ${JSON.stringify(copy)} instead of ${JSON.stringify(right)}`];
    });

  return {
    accept: (parcel: ClaimedParcel, delivery: ClaimedDelivery) => void copies.push(copyOf(parcel, delivery)),
    /** What the platform has, and should not have, or the other way round. */
    violations: (model: Model): string[] => [
      ...wrong(model),
      ...[...model.deliveries.values()].flatMap(({ id, state, copiesMax }) => {
        const count = copies.filter(({ deliveryId }) => deliveryId === id).length;
        if (count > copiesMax) return [`delivery ${id} was accepted ${count} times, not at most ${copiesMax}`];
        return state === 'delivered' && count === 0 ? [`delivery ${id} is delivered, but was never accepted`] : [];
      }),
    ],
  };
};

export type PlatformDouble = ReturnType<typeof platformDouble>;

/** A claim that a worker holds: by the core, and by the model. */
export interface HeldClaim {
  readonly real: ClaimedParcel;
  readonly model: ModelClaim;
  /** Undefined: nothing of it was sent yet. */
  sent?: readonly Sent[];
}

interface Sent {
  readonly delivery: ModelDelivery;
  readonly happened: Happened;
  readonly next: NextState;
  readonly kind: Exclude<Outcome['kind'], 'postponed'> | undefined;
}

const outcomeOf: Readonly<
  Record<Reply, { readonly happened: Happened; readonly outcome: Exclude<Outcome, { kind: 'postponed' }> }>
> = {
  ok: { happened: 'delivered', outcome: { kind: 'delivered' } },
  lost: { happened: 'unavailable', outcome: { kind: 'unavailable', reason: 'timeout' } },
  rejected: { happened: 'rejected', outcome: { kind: 'rejected', reason: 'bad_event' } },
  'too old': { happened: 'too old', outcome: { kind: 'rejected', reason: eventTooOld } },
  unavailable: { happened: 'unavailable', outcome: { kind: 'unavailable', reason: 'HTTP 503', retryAfterMs: 60_000 } },
  throttled: { happened: 'throttled', outcome: { kind: 'throttled', reason: 'HTTP 429' } },
  refused: { happened: 'refused', outcome: { kind: 'refused', reason: 'token revoked' } },
};

const hourMs = 60 * 60_000;

/** With a pause that is not over by itself, however slow the machine is. */
const withLongPause = (next: NextState): NextState =>
  next.retryInMs ? { ...next, retryInMs: next.retryInMs + hourMs } : next;

/** Sends what a worker has claimed. Throws if the core holds back other deliveries than the model. */
const send = (claim: HeldClaim, replies: readonly Reply[], platform: PlatformDouble): void => {
  const { real, model } = claim;
  const nextOf = new Map<string, NextState>(); // deliveries with the same response are retried together
  claim.sent = real.deliveries.map((claimed: ClaimedDelivery, index): Sent => {
    const delivery = model.deliveries.find(({ id }) => id === claimed.deliveryId);
    if (!delivery) throw new Error(`delivery ${claimed.deliveryId} was claimed in a wrong parcel`);
    const { overwrites: overwrite } = delivery.connection;
    const rules = { overwrite, areConfirmed: false, wentElsewhere: () => false };
    const held = claimed.others && heldBack(claimed, real.claimedAtMs, rules);
    const expected = model.heldBack.get(delivery);
    if (held?.reason !== expected) throw new Error(`delivery ${delivery.id}: ${held?.reason}, not ${expected}`);
    if (held) {
      const happened = held.state === 'skipped' ? 'skipped' : 'held back';
      return { delivery, happened, next: withLongPause(held), kind: undefined };
    }
    const reply = replies[index % replies.length] ?? 'ok';
    const { happened, outcome } = outcomeOf[reply];
    if (reply === 'ok' || reply === 'lost') platform.accept(real, claimed);
    if (reply === 'lost') delivery.copiesMax += 1;
    const key = `${reply} ${claimed.attempts} ${claimed.throttled}`;
    const next = nextOf.get(key) ?? withLongPause(nextState(outcome, claimed));
    nextOf.set(key, next);
    return { delivery, happened, next, kind: outcome.kind };
  });
};

const unsent = postponed('worker_stops', 0);

const settled = (sent: readonly Sent[]): SettledDeliveries[] =>
  [...Map.groupBy(sent, ({ next }) => next)].map(([next, alike]) => {
    const kind = alike[0]?.kind;
    const { reason } = next;
    return {
      ...next,
      deliveryIds: alike.map(({ delivery }) => delivery.id),
      attempt: kind === undefined ? null : { outcome: kind, reason, httpStatus: null, answer: null, durationMs: 1 },
    };
  });

/** Saves what happened to what a worker has claimed, as often as is said. Returns it for the model. */
const settleReal = async (core: DeliveryCore, { real, model, sent }: HeldClaim, times: number) => {
  const all =
    sent ??
    model.deliveries.map((delivery): Sent => ({ delivery, happened: 'not sent', next: unsent, kind: undefined }));
  for (let time = 0; time < times; time += 1) await core.settle({ parcel: real, deliveries: settled(all) });
  return all.map(({ delivery, happened, next }): ModelOutcome => {
    const { reason, retryInMs } = next;
    return { delivery, happened, reason, retryInMs };
  });
};

const sameIds = (real: ClaimedParcel, { deliveries }: ModelParcel) =>
  sorted(real.deliveries.map(({ deliveryId }) => deliveryId)) === sorted([...deliveries].map(({ id }) => id));

/** Claims in the model what was claimed of the core. Throws if that is not what the model could claim. */
const take = ({ model, claims }: Run, claimed: readonly ClaimedParcel[], claimable: readonly ModelParcel[]) => {
  const held = claimed.map((real): HeldClaim => {
    const parcel = claimable.find((one) => (one.id ?? real.id) === real.id && sameIds(real, one));
    if (!parcel) throw new Error(`parcel ${real.id} must not be claimed, or not with these deliveries`);
    parcel.id = real.id;
    return { real, model: claimParcel(model, parcel) };
  });
  claims.push(...held);
  return held;
};

const everything = 100;

/** Claims what is due of a connection: at most so many deliveries, and one parcel more. */
const claimOf = async (run: Run, number: number, deliveries: number) => {
  const connection = chosen(run.model.connections, number);
  if (!connection) return [];
  const claimable = [...run.model.parcels].filter((one) => one.connection === connection && isClaimable(one));
  const claimed = await run.core.claimOf(connection.id, deliveries);
  const isEnough =
    deliveries < everything ? claimed.length > 0 || claimable.length === 0 : claimed.length === claimable.length;
  if (!isEnough) throw new Error(`claimed ${claimed.length} of ${claimable.length} due parcels`);
  return take(run, claimed, claimable);
};

/** Claims one parcel that is or was. */
const claimByHint = async (run: Run, number: number) => {
  const hint = chosen([...run.hints], number);
  if (hint === undefined) return;
  const claimable = [...run.model.parcels].filter((one) => one.id === hint && isClaimable(one));
  const claimed = await run.core.claimByHint(hint);
  if ((claimed === null) !== (claimable.length === 0)) throw new Error(`a hint claimed ${claimed ? 'a' : 'no'} parcel`);
  if (claimed) take(run, [claimed], claimable);
};

/** Splits what crashed workers, fails what crashed too many, and claims one of the others alone. */
const isolateSuspect = async (run: Run) => {
  await run.core.splitSuspects();
  splitSuspects(run.model);
  await run.core.failCrashed();
  failCrashed(run.model);
  const claimable = [...run.model.parcels].filter(isClaimableAlone);
  const claimed = await run.core.claimSuspect();
  if (!claimed && claimable.length > 0) throw new Error('a suspect was not claimed');
  return claimed ? take(run, [claimed], claimable) : [];
};

/** The worker that holds a claim forgets it. */
const drop = ({ claims }: Run, held: HeldClaim | undefined) => {
  if (held) claims.splice(claims.indexOf(held), 1);
};

/** Saves what happened to what a worker holds. */
const settleHeld = async (run: Run, held: HeldClaim | undefined, times: number) => {
  if (!held) return;
  const outcomes = await settleReal(run.core, held, times);
  settle(run.model, held.model, outcomes);
  drop(run, held);
};

/** Workers send what is due of a connection, and die before they save what happened: one after the other. */
const crash = async (run: Run, connection: number, replies: readonly Reply[], times: number) => {
  for (let time = 0; time < times; time += 1) {
    const together = await claimOf(run, connection, everything);
    for (const held of together.length > 0 ? together : await isolateSuspect(run)) {
      send(held, replies, run.platform);
      drop(run, held);
      await run.core.endLease(held.real.id);
      endLease(held.model.parcel);
    }
  }
};

interface Subject {
  readonly sale: ModelSale;
  readonly adjustment: ModelAdjustment | undefined;
  readonly told: readonly ModelConnection[];
}

interface Row {
  id: string;
  connection_id: string;
  parcel_id: string;
}

/** Puts new deliveries into the model, with the ids that they got. Which of one statement share a parcel is not promised. */
const enqueue = async ({ core, model }: Run, subjects: readonly Subject[]): Promise<void> => {
  const parcels = new Map<number, ModelParcel>();
  for (const { sale, adjustment, told } of subjects) {
    const [column, id] = adjustment ? ['adjustment_id', adjustment.id] : ['conversion_id', sale.id];
    const { rows } = await core.pool.query<Row>(
      `select id, connection_id, parcel_id from delivery where ${column} = $1`,
      [id],
    );
    for (const connection of told) {
      const row = rows.find((one) => Number(one.connection_id) === connection.id);
      if (!row) throw new Error(`there is no delivery to connection ${connection.id}`);
      const parcelId = Number(row.parcel_id);
      const parcel: ModelParcel = parcels.get(parcelId) ?? {
        id: parcelId,
        connection,
        deliveries: new Set(),
        claim: 0,
        isClaimed: false,
        isDue: true,
        leasesLost: 0,
      };
      parcels.set(parcelId, parcel);
      model.parcels.add(parcel);
      const delivery = {
        id: Number(row.id),
        connection,
        sale,
        adjustment,
        state: 'pending' as const,
        reason: null,
        attempts: 0,
        throttled: 0,
        isOld: false,
        parcel,
        copiesMax: 1,
      };
      model.transitions.add('1: – → waiting');
      parcel.deliveries.add(delivery);
      model.deliveries.set(delivery.id, delivery);
    }
  }
};

const referenceOf = ({ number }: Order) => `order-${number}`;

type Answer = { readonly id: number | undefined; readonly code: string };

/** What a request gets. `id` is undefined if it creates a conversion, whose id is not known yet. */
const expectedAnswer = ({ model, keys }: Run, accountId: number, order: Order): Answer => {
  const eventId = referenceOf(order);
  const key = order.isKeyed ? keys.get(`${accountId} ${eventId}`) : undefined;
  if (key && key.body !== JSON.stringify(order)) return { id: undefined, code: 'idempotency-key-reused' };
  if (key) return { id: key.saleId, code: key.code === 'created' ? 'repeated' : key.code };
  if (!order.isOfKnownClient) return { id: undefined, code: 'client-unknown' };
  const first = [...model.sales.values()].find((one) => one.accountId === accountId && one.eventId === eventId);
  if (!first) return { id: undefined, code: 'created' };
  return { id: first.id, code: first.amount === order.amount ? 'conversion-repeated' : 'conversion-differs' };
};

/** Registers conversions at the same time, as requests of a partner that arrive together. */
const register = async (run: Run, accountId = 0, all: readonly Order[] = []): Promise<void> => {
  const { core, model, keys } = run;
  const orders = [...new Map(all.map((order) => [order.number, order])).values()];
  const expected = orders.map((order) => expectedAnswer(run, accountId, order));
  const results = await Promise.all(
    orders.map((order) => {
      const input = {
        amount: `${order.amount}`,
        currency: 'USD' as const,
        clientExternalReference: order.isOfKnownClient ? clientReference : 'nobody',
        conversionExternalReference: referenceOf(order),
      };
      const mode = { accountId, isTest: false };
      return orRefusal(core.register(mode, input, order.isKeyed ? referenceOf(order) : undefined));
    }),
  );
  const told = toldOfSales(model, accountId);
  const subjects: Subject[] = [];
  for (const [index, order] of orders.entries()) {
    const result = results[index];
    if (!result) continue;
    const isRefused = result instanceof Refusal;
    const saleId = isRefused ? result.conversionId : result.id;
    const code = isRefused ? result.code : result.isRepeated ? 'repeated' : 'created';
    expect({ order, code, id: code === 'created' ? undefined : saleId }).toEqual({ order, ...expected[index] });
    const key = `${accountId} ${referenceOf(order)}`;
    if (order.isKeyed && saleId !== undefined && !keys.has(key)) {
      keys.set(key, { body: JSON.stringify(order), saleId, code });
    }
    if (code !== 'created' || saleId === undefined) continue;
    const sale = { id: saleId, accountId, eventId: referenceOf(order), amount: order.amount, adjustments: [] };
    model.sales.set(saleId, sale);
    subjects.push({ sale, adjustment: undefined, told });
  }
  await enqueue(run, subjects);
};

/** Restates or, with 0, retracts a conversion. */
const adjust = async (run: Run, sale: ModelSale | undefined, amount: number): Promise<void> => {
  if (!sale) return;
  const kind = amount === 0 ? ('retract' as const) : ('restate' as const);
  const input = { conversionId: sale.id, kind, ...(amount > 0 && { amount: `${amount}` }) };
  const result = await orRefusal(run.core.adjust({ accountId: sale.accountId, isTest: false }, input));
  const isRetracted = sale.adjustments.some((one) => one.kind === 'retract');
  expect(result instanceof Refusal ? result.code : 'created').toBe(isRetracted ? 'conversion-retracted' : 'created');
  if (result instanceof Refusal) return;
  const adjustment = { id: result.id, kind, amount, takenBack: takenBackBy(sale, amount) };
  sale.adjustments.push(adjustment);
  await enqueue(run, [{ sale, adjustment, told: toldOfAdjustments(run.model, sale) }]);
};

const retryNamed = async ({ core, model }: Run, numbers: readonly number[]) => {
  const all = [...model.deliveries.values()];
  const named = [...new Set(numbers.flatMap((number) => chosen(all, number) ?? []))];
  const expected = sorted(retry(model, named).map(({ id }) => id));
  const retried = sorted(await core.retry(named.map(({ id }) => id)));
  if (retried !== expected) throw new Error(`retried deliveries ${retried}, not ${expected}`);
};

const retryAll = async ({ core, model }: Run, number: number) => {
  const connection = chosen(model.connections, number);
  if (!connection) return;
  const named = [...model.deliveries.values()].filter((one) => one.connection === connection);
  const expected = retry(model, named).length;
  const retried = await core.retryAll(connection);
  if (retried !== expected) throw new Error(`retried ${retried} deliveries, not ${expected}`);
};

const switchConnection = async ({ core, model }: Run, number: number, to: 'pause' | 'resume') => {
  const connection = chosen(model.connections, number);
  if (!connection) return;
  await core[to](connection.id);
  (to === 'pause' ? pause : resume)(connection);
};

const endLeaseOf = async ({ core, model }: Run, number: number) => {
  const parcel = chosen(
    [...model.parcels].filter(({ isClaimed, isDue }) => isClaimed && !isDue),
    number,
  );
  if (parcel?.id === undefined) return;
  await core.endLease(parcel.id);
  endLease(parcel);
};

/** Does one thing to the core, and the same to the model. */
export const runStep = async (run: Run, step: Step): Promise<void> => {
  const { core, model, claims, platform } = run;
  switch (step.do) {
    case 'register':
      return register(run, chosen(core.accountIds, step.account), step.orders);
    case 'adjust':
      return adjust(run, chosen([...model.sales.values()], step.sale), step.amount);
    case 'claim':
      return void (await claimOf(run, step.connection, step.deliveries));
    case 'claim by hint':
      return claimByHint(run, step.parcel);
    case 'isolate a suspect':
      return void (await isolateSuspect(run));
    case 'send': {
      const held = chosen(
        claims.filter(({ sent }) => !sent),
        step.claim,
      );
      if (held) send(held, step.replies, platform);
      return;
    }
    case 'settle':
      return settleHeld(run, chosen(claims, step.claim), step.times);
    case 'deliver':
      for (const held of await claimOf(run, step.connection, everything)) {
        send(held, step.replies, platform);
        await settleHeld(run, held, 1);
      }
      return;
    case 'crash':
      return crash(run, step.connection, step.replies, step.times);
    case 'kill':
      return drop(run, chosen(claims, step.claim));
    case 'end a lease':
      return endLeaseOf(run, step.parcel);
    case 'pass pauses':
      await core.passPauses();
      return passPauses(model);
    case 'pass days':
      await core.passDays();
      return passDays(model);
    case 'retry':
      return retryNamed(run, step.deliveries);
    case 'retry all':
      return retryAll(run, step.connection);
    case 'pause':
    case 'resume':
      return switchConnection(run, step.connection, step.do);
  }
};

/** One of what there is now. */
const chosen = <Item>(items: readonly Item[], number: number): Item | undefined => items[number % items.length];

const sorted = (ids: Iterable<number>): string => [...ids].toSorted((one, other) => one - other).join();
