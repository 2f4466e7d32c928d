import type { ClaimedDelivery, ClaimedParcel } from '@leadback/core/delivery/claim';
import { heldBack, type NextState, nextState, postponed } from '@leadback/core/delivery/next-state';
import type { SettledDeliveries } from '@leadback/core/delivery/settle';
import { eventTooOld, type Outcome } from '@leadback/domain';
import type { ModelClaim } from './claims.ts';
import type { DeliveryCore } from './core.ts';
import type { ModelDelivery } from './model.ts';
import type { PlatformDouble } from './platform-double.ts';
import type { Happened, ModelOutcome } from './settling.ts';
import type { Reply } from './steps.ts';

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

const outcomes: Readonly<
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
    const { happened, outcome } = outcomes[reply];
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
export const settleReal = async (core: DeliveryCore, { real, model, sent }: HeldClaim, times: number) => {
  const all =
    sent ??
    model.deliveries.map((delivery): Sent => ({ delivery, happened: 'not sent', next: unsent, kind: undefined }));
  for (let time = 0; time < times; time += 1) await core.settle({ parcel: real, deliveries: settled(all) });
  return all.map(({ delivery, happened, next }): ModelOutcome => {
    const { reason, retryInMs } = next;
    return { delivery, happened, reason, retryInMs };
  });
};
