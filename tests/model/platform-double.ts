import type { ClaimedDelivery, ClaimedParcel } from '@leadback/core/delivery/claim';
import { attributedOf, type DeliverableEvent } from '@leadback/domain';
import type { Model, ModelDelivery } from './model.ts';
import { emailOf } from './sales-model.ts';

/** What a delivery tells a platform. */
interface Told {
  readonly deliveryId: number;
  readonly accountId: number;
  readonly connectionId: number;
  readonly eventId: string;
  readonly kind: string;
  readonly amount: number;
  readonly takenBack: number | undefined;
  readonly clickParameters: Readonly<Record<string, string>>;
  readonly email: string | null;
}

const adjustmentOf = (event: DeliverableEvent) => {
  if (event.kind === 'conversion') return { amount: Number(event.amount), takenBack: undefined };
  if (!('conversion' in event)) throw new Error(`nobody registered a ${event.kind}`);
  return { amount: Number(event.amount), takenBack: Number(event.takenBack) };
};

/** As it was claimed. */
export const told = ({ connection }: ClaimedParcel, { deliveryId, event }: ClaimedDelivery): Told => {
  const { amount, takenBack } = adjustmentOf(event);
  if (event.kind === 'webhook') throw new Error('there is no webhook');
  const { eventId, lead, client } = attributedOf(event);
  return {
    deliveryId,
    accountId: connection.accountId,
    connectionId: connection.id,
    eventId,
    kind: event.kind,
    amount,
    takenBack,
    clickParameters: lead.clickParameters,
    email: client.email,
  };
};

/** As it should be claimed now. */
export const toTell = ({ id, connection, sale, adjustment, click }: ModelDelivery): Told => ({
  deliveryId: id,
  accountId: connection.accountId,
  connectionId: connection.id,
  eventId: sale.eventId,
  kind: adjustment?.kind ?? 'conversion',
  amount: adjustment?.amount ?? sale.amount,
  takenBack: adjustment?.takenBack,
  clickParameters: click.parameters,
  email: sale.client.reference === null ? null : emailOf(sale.client.reference),
});

/** The platform of all connections: counts the copies of each event that it accepts. */
export const platformDouble = () => {
  const copies = new Map<number, number>();
  return {
    accept: ({ deliveryId }: ClaimedDelivery) => void copies.set(deliveryId, (copies.get(deliveryId) ?? 0) + 1),
    /** What the platform has, and should not have, or the other way round. */
    violations: ({ deliveries }: Model): string[] =>
      [...deliveries.values()].flatMap(({ id, state, copiesMax }) => {
        const count = copies.get(id) ?? 0;
        if (count > copiesMax) return [`delivery ${id} was accepted ${count} times, not at most ${copiesMax}`];
        return state === 'delivered' && count === 0 ? [`delivery ${id} is delivered, but was never accepted`] : [];
      }),
  };
};

export type PlatformDouble = ReturnType<typeof platformDouble>;
