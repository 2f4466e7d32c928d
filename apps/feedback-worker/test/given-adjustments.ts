import { Delivery, PlatformConnection, PlatformRequest } from '@leadback/db';
import { requeueDeliveries } from '@leadback/core/delivery/requeue';
import type { PlatformName } from '@leadback/domain';
import { givenAdjustment, givenDelivery } from '@leadback/testing';
import { z } from 'zod';
import type { TestWorker } from './given-worker.ts';

type Adjustment = Partial<Omit<Parameters<typeof givenAdjustment>[1], 'conversion'>>;

interface Verdict {
  readonly kind: string;
  readonly events?: number;
  readonly reason?: string;
  readonly findings?: readonly { readonly meaning: string }[];
}

const used: Verdict = { kind: 'final', events: 1, findings: [] };

/** Conversions and adjustments for a worker, and what the sandbox knows of them. */
export const givenAdjustments = (worker: TestWorker) => {
  /** A conversion of 10.00 with a delivery that is due, and a function that adjusts it. */
  const given = async (platform: PlatformName, settings?: unknown) => {
    const connection = settings === undefined ? { platform } : { platform, settings };
    const { id, connectionId } = await worker.givenDelivery({ connection });
    const em = worker.database.em();
    const { conversion } = await em.findOneOrFail(Delivery, id, { populate: ['conversion'] });
    const via = await em.findOneOrFail(PlatformConnection, connectionId);
    if (!conversion) throw new Error('the delivery has no conversion');
    const adjust = async (changes: Adjustment = {}) => {
      const adjustment = await givenAdjustment(em, { conversion: conversion.$, ...changes });
      return (await givenDelivery(em, { connection: via, adjustment })).id;
    };
    return { id, connectionId, eventId: conversion.$.eventId, adjust };
  };
  const deliverDue = async (id: number) => {
    await worker.makeDue([id]);
    await worker.deliver([id]);
    return worker.stored(id);
  };
  const at = async (path: string) => (await fetch(`${worker.sandbox.url}${path}`)).json();
  const eventsOf = async (connection: string) =>
    z
      .array(z.looseObject({ connection: z.string() }))
      .parse(await at('/events'))
      .filter((one) => one.connection === connection);
  /** What Google counts of a conversion. */
  const countedOf = async (eventId: string) =>
    z
      .array(z.looseObject({ id: z.string() }))
      .parse(await at('/conversions'))
      .filter(({ id }) => id === eventId);
  /** The platform reports the verdict of all requests, as the worker keeps it. */
  const confirmAll = async (verdict: Verdict | null = used) => {
    const isConfirmed = verdict?.findings?.every(({ meaning }) => meaning === 'warning') ?? false;
    await worker.database.pool.query(
      `update delivery set is_confirmed = $1 where state = 'delivered' and id in (
         select a.delivery_id from delivery_attempt a join platform_request r on r.name = a.platform_request
         where r.look_at is not null)`,
      [isConfirmed],
    );
    await worker.database.em().nativeUpdate(PlatformRequest, { lookAt: { $ne: null } }, { lookAt: null, verdict });
  };
  const change = (connectionId: number, changes: { readonly settings?: unknown; readonly eventNames?: object }) =>
    worker.database.pool.query(
      `update platform_connection set settings = settings || $2::jsonb, event_names = event_names || $3::jsonb where id = $1`,
      [connectionId, JSON.stringify(changes.settings ?? {}), JSON.stringify(changes.eventNames ?? {})],
    );
  const retry = async (id: number) => {
    await requeueDeliveries(worker.database.em(), [id]);
    return deliverDue(id);
  };

  return { given, deliverDue, eventsOf, countedOf, confirmAll, change, retry };
};
