import { type AdjustmentKind, adjustmentsMax } from '@leadback/domain';
import { enqueuedAdjustments, type NewParcel } from '../delivery/enqueue.ts';
import { preparedStatement, type Queryable } from '@leadback/db';
import { z } from 'zod';
import { type AdjustedConversion, lockAdjusted } from './find-adjusted.ts';
import { lost, type Tried } from '../once.ts';

/** References of tests are separate from live ones. */
export interface NewAdjustment extends AdjustedConversion {
  readonly kind: AdjustmentKind;
  /** The new total: decimal; `numeric(12,2)` rounds it half up to the cent. */
  readonly amount: string;
  readonly externalReference?: string | undefined;
  /** ISO 8601. Default: now. */
  readonly occurredAt?: string | undefined;
}

/** Also the stored form for repeated requests. */
export const insertedAdjustmentSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('created'),
    id: z.number(),
    conversionId: z.number(),
    /** Of the lead, if it is traced. */
    traceParent: z.string().optional(),
  }),
  z.object({
    kind: z.enum([
      'conversion-unknown',
      'repeated',
      'retracted',
      'too-many',
      'occurred-out-of-range',
      'occurred-before',
    ]),
  }),
]);

export type InsertedAdjustment = Readonly<z.infer<typeof insertedAdjustmentSchema>>;

interface Row {
  kind: InsertedAdjustment['kind'] | 'lost';
  id: number | null;
  conversion_id: number | null;
  trace_parent: string | null;
  /** In the first row only. */
  parcels: NewParcel[] | null;
}

// Runs after its conversions were locked, in the same transaction: the snapshot has every earlier adjustment of them, so
// that the total before is exact, and ids grow with the order of the adjustments. Of several for one conversion only the
// first is inserted. Sorted, so that two statements cannot deadlock on each other's references.
//
// Clocks differ by some minutes: what occurred a little before its conversion occurred with it.
const insert = preparedStatement<Row>(
  'register-adjustments',
  `with input as (
     select * from rows from (json_to_recordset($1) as (
       "accountId" bigint, "isTest" boolean, "conversionId" bigint, kind text, amount numeric, "occurredAt" timestamptz,
       "externalReference" text))
       with ordinality as i (account_id, is_test, conversion_id, kind, amount, occurred_at, external_reference, place)
   ), adjusted as materialized (
     select i.*, lead.trace_parent, greatest(coalesce(i.occurred_at, now()), v.sold_at) as adjusted_at,
            coalesce(last.amount, v.amount) as previous_amount,
            case when same.found then 'repeated'
                 when last.kind = 'retract' then 'retracted'
                 when i.kind <> 'retract' and many.found then 'too-many'
                 when i.occurred_at not between now() - interval '400 days' and now() + interval '5 minutes'
                   then 'occurred-out-of-range'
                 when i.occurred_at < v.sold_at - interval '5 minutes' then 'occurred-before'
                 when row_number() over (partition by i.conversion_id order by place) > 1 then 'lost'
                 else 'created' end as outcome
     from input i
     cross join lateral (
       select amount, client_id, coalesce(occurred_at, created_at) as sold_at from conversion
       where id = i.conversion_id and account_id + 0 = i.account_id limit 1) v
     cross join lateral (select lead_id from client where id = v.client_id limit 1) client
     cross join lateral (select trace_parent from lead where id = client.lead_id limit 1) lead
     left join lateral (
       select amount, kind from conversion_adjustment
       where conversion_id = i.conversion_id and account_id + 0 = i.account_id order by id desc limit 1) last on true
     left join lateral (
       select true as found from conversion_adjustment
       where conversion_id = i.conversion_id and account_id + 0 = i.account_id offset ${adjustmentsMax - 1} limit 1) many on true
     left join lateral (
       (select true as found from conversion_adjustment
        where not i.is_test and account_id = i.account_id and external_reference = i.external_reference limit 1)
       union all
       (select true from conversion_adjustment
        where i.is_test and account_id = i.account_id and test_reference = i.external_reference limit 1)
       limit 1) same on true
   ), fresh as materialized (
     select *, nextval('conversion_adjustment_id_seq') as id from adjusted where outcome = 'created'
   ), inserted as (
     insert into conversion_adjustment (id, account_id, conversion_id, is_test, kind, amount, previous_amount, occurred_at,
                                        external_reference, test_reference)
     select id, account_id, conversion_id, is_test, kind, amount, previous_amount, adjusted_at,
            case when not is_test then external_reference end, case when is_test then external_reference end
     from fresh order by account_id, external_reference, place
     on conflict do nothing
     returning id
   ), created as (
     select f.id, f.place, f.account_id, f.conversion_id, f.is_test, f.adjusted_at as occurred_at, f.trace_parent
     from fresh f join inserted using (id)
   ), ${enqueuedAdjustments}
   select case when a.outcome = 'created' and c.id is null then 'lost' else coalesce(a.outcome, 'conversion-unknown') end
            as kind,
          c.id, i.conversion_id, c.trace_parent,
          case when i.place = 1 then (select parcels from new_parcels) end as parcels
   from input i left join adjusted a using (place) left join created c using (place)
   order by i.place`,
);

const resultOf = ({
  kind,
  id,
  conversion_id: conversionId,
  trace_parent: traceParent,
}: Row): Tried<InsertedAdjustment> => {
  if (kind === 'lost') return lost;
  if (kind !== 'created') return { kind };
  if (id === null || conversionId === null) throw new Error('a created adjustment has no id');
  return { kind, id, conversionId, traceParent: traceParent ?? undefined };
};

/**
 * Inserts adjustments with their deliveries, in a transaction. Returns one result per adjustment, in order, and the new
 * parcels. One whose conversion has another adjustment in the same call is lost.
 */
export const insertAdjustments = async (on: Queryable, adjustments: readonly NewAdjustment[]) => {
  const conversionIds = await lockAdjusted(on, adjustments);
  const input = adjustments.map((adjustment, index) => {
    return { ...adjustment, conversionReference: undefined, conversionId: conversionIds[index] };
  });
  const rows = await insert(on, [JSON.stringify(input)]);
  return { inserted: rows.map(resultOf), parcels: rows[0]?.parcels ?? [] };
};
