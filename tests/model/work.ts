import type { ClaimedParcel } from '@leadback/core/delivery/claim';
import { chosen, sorted } from './chosen.ts';
import { claim, failCrashed, isClaimable, isClaimableAlone, splitSuspects } from './claims.ts';
import { endLease, type ModelParcel } from './model.ts';
import type { Run } from './run.ts';
import { settle } from './settling.ts';
import type { Reply } from './steps.ts';
import { type HeldClaim, send, settleReal } from './worker.ts';

const sameIds = (real: ClaimedParcel, { deliveries }: ModelParcel) =>
  sorted(real.deliveries.map(({ deliveryId }) => deliveryId)) === sorted([...deliveries].map(({ id }) => id));

/** Claims in the model what was claimed of the core. Throws if that is not what the model could claim. */
const take = ({ model, claims }: Run, claimed: readonly ClaimedParcel[], claimable: readonly ModelParcel[]) => {
  const held = claimed.map((real): HeldClaim => {
    const parcel = claimable.find((one) => (one.id ?? real.id) === real.id && sameIds(real, one));
    if (!parcel) throw new Error(`parcel ${real.id} must not be claimed, or not with these deliveries`);
    parcel.id = real.id;
    return { real, model: claim(model, parcel) };
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
