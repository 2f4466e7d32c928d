import { isDeepStrictEqual } from 'node:util';
import type { ClaimedDelivery, ClaimedParcel } from '@leadback/core/delivery/claim';
import type { Model, ModelDelivery } from './model.ts';

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
