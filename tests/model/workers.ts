import type { ClaimedDelivery, ClaimedParcel } from '@leadback/core/delivery/claim';
import { heldBack, type NextState, nextState, postponed, type SettledDeliveries } from '@leadback/core/delivery/settle';
import { eventTooOld, type Outcome } from '@leadback/domain';
import { expect } from 'vitest';
import type { DeliveryCore } from './core.ts';
import {
  claimParcel,
  endLease,
  failCrashed,
  type Happened,
  isClaimable,
  isClaimableAlone,
  type ModelOutcome,
  type ModelParcel,
  settle,
  splitSuspects,
} from './model.ts';
import { type PlatformDouble, told, toTell } from './platform-double.ts';
import { chosen, type HeldClaim, type Run, type Sent, sorted } from './run.ts';
import type { Reply } from './steps.ts';

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
export const send = (claim: HeldClaim, replies: readonly Reply[], platform: PlatformDouble): void => {
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
    if (reply === 'ok' || reply === 'lost') platform.accept(claimed);
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

/** Claims in the model what was claimed of the core. Throws if that is not what the model could claim, or tells something else. */
const take = ({ model, claims }: Run, claimed: readonly ClaimedParcel[], claimable: readonly ModelParcel[]) => {
  const held = claimed.map((real): HeldClaim => {
    const parcel = claimable.find((one) => (one.id ?? real.id) === real.id && sameIds(real, one));
    if (!parcel) throw new Error(`parcel ${real.id} must not be claimed, or not with these deliveries`);
    parcel.id = real.id;
    const byId = [...parcel.deliveries].toSorted((one, other) => one.id - other.id);
    const claimedById = real.deliveries.toSorted((one, other) => one.deliveryId - other.deliveryId);
    expect(claimedById.map((delivery) => told(real, delivery))).toEqual(byId.map(toTell));
    return { real, model: claimParcel(model, parcel) };
  });
  claims.push(...held);
  return held;
};

export const everything = 100;

/** Claims what is due of a connection: at most so many deliveries, and one parcel more. */
export const claimOf = async (run: Run, number: number, deliveries: number) => {
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
export const claimByHint = async (run: Run, number: number) => {
  const hint = chosen([...run.hints], number);
  if (hint === undefined) return;
  const claimable = [...run.model.parcels].filter((one) => one.id === hint && isClaimable(one));
  const claimed = await run.core.claimByHint(hint);
  if ((claimed === null) !== (claimable.length === 0)) throw new Error(`a hint claimed ${claimed ? 'a' : 'no'} parcel`);
  if (claimed) take(run, [claimed], claimable);
};

/** Splits what crashed workers, fails what crashed too many, and claims one of the others alone. */
export const isolateSuspect = async (run: Run) => {
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
export const drop = ({ claims }: Run, held: HeldClaim | undefined) => {
  if (held) claims.splice(claims.indexOf(held), 1);
};

/** Saves what happened to what a worker holds. */
export const settleHeld = async (run: Run, held: HeldClaim | undefined, times: number) => {
  if (!held) return;
  const outcomes = await settleReal(run.core, held, times);
  settle(run.model, held.model, outcomes);
  drop(run, held);
};

/** Workers send what is due of a connection, and die before they save what happened: one after the other. */
export const crash = async (run: Run, connection: number, replies: readonly Reply[], times: number) => {
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

export const endLeaseOf = async ({ core, model }: Run, number: number) => {
  const parcel = chosen(
    [...model.parcels].filter(({ isClaimed, isDue }) => isClaimed && !isDue),
    number,
  );
  if (parcel?.id === undefined) return;
  await core.endLease(parcel.id);
  endLease(parcel);
};
