import type { Database } from '@leadback/db';
import { requeueFeedback } from '@leadback/delivery';
import { webhookName } from '@leadback/domain';
import { type AccountScope, audit } from '@leadback/people';
import { z } from 'zod';

const foundSchema = z.array(
  z.object({ id: z.coerce.number(), state: z.string(), hasNote: z.boolean(), isActive: z.boolean() }),
);
type Found = z.output<typeof foundSchema>[number];

const find = `
  select f.id, f.state, f.note is not null as "hasNote", c.state = 'active' as "isActive"
  from unnest(?::bigint[]) wanted (id)
  cross join lateral (
    select id, state, note, connection_id from feedback where id = wanted.id and account_id + 0 = ? limit 1) f
  cross join lateral (
    select state from platform_connection where id = f.connection_id and platform <> '${webhookName}' limit 1) c`;

type Why = 'unknown' | 'delivered' | 'pending' | 'connection-inactive' | 'changed';

const whyLeft = (found: Found | undefined): Why => {
  if (!found) return 'unknown';
  if (found.state === 'pending') return 'pending';
  if (found.state === 'delivered' && !found.hasNote) return 'delivered';
  return found.isActive ? 'changed' : 'connection-inactive';
};

export interface RetriedDeliveries {
  /** Pending now, with the adjustments that follow their conversion. */
  readonly retried: number[];
  readonly left: { readonly id: number; readonly why: Why }[];
}

/** Sends deliveries of an account again: those that may be, and says why not of the others. */
export type DeliveriesRetrier = (
  scope: AccountScope,
  actor: string,
  ids: readonly number[],
) => Promise<RetriedDeliveries>;

export const deliveriesRetrier =
  ({ em }: Pick<Database, 'em'>): DeliveriesRetrier =>
  ({ accountId }, actor, ids) =>
    em().transactional(async (tx) => {
      const wanted = [...new Set(ids)];
      const found = foundSchema.parse(await tx.execute(find, [`{${wanted.join(',')}}`, accountId]));
      const own = found.map(({ id }) => id);
      const retried = own.length === 0 ? [] : await requeueFeedback(tx, own);
      const byId = new Map(found.map((one) => [one.id, one]));
      const left = wanted.filter((id) => !retried.includes(id)).map((id) => ({ id, why: whyLeft(byId.get(id)) }));
      for (const id of retried)
        await audit(tx, { actor, action: 'delivery.retry', accountId, target: `delivery ${id}` });
      return { retried: retried.toSorted((one, other) => one - other), left };
    });
