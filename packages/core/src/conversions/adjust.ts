import {
  type AccountMode,
  type AdjustmentKind,
  adjustmentsMax,
  adjustmentKinds,
  amountSchema,
  amountWarnings,
  currencies,
  type Currency,
  currencySchema,
  occurredAtSchema,
  optionalReference,
  Refusal,
} from '@leadback/domain';
import { afterCommit, preparedStatement, type Queryable, type Pool } from '@leadback/db';
import { z } from 'zod';
import { enqueuedAdjustments, type NewParcel } from '../delivery/enqueue.ts';
import { tryAgain, type Tried, onceEach } from '../once.ts';
import { byReference, ofInput, type RegistrarOptions, roundedIn } from '../registering.ts';

/** The conversion that an adjustment names, by id or by reference; if by both, both must match. */
interface AdjustedConversion extends AccountMode {
  readonly conversionId?: number | undefined;
  readonly conversionReference?: string | undefined;
}

const conversionByReference = byReference({
  table: 'conversion',
  as: 'w',
  columns: 'w.id',
  ...ofInput,
  reference: 'i.reference',
  when: 'i.conversion_id is null',
});

// Locked in the order of their ids, so that two transactions cannot deadlock. Plan: each conversion by its key, then all
// that were found by theirs; see `preparedStatement`.
const findAndLock = preparedStatement<{ id: number | null }>(
  'lock-conversions-to-adjust',
  `with input as (
     select * from rows from (json_to_recordset($1) as (
       "accountId" bigint, "isTest" boolean, "conversionId" bigint, "conversionReference" text))
       with ordinality as i (account_id, is_test, conversion_id, reference, place)
   ), found as materialized (
     select i.place, v.id from input i
     cross join lateral (
       (select w.id from conversion w
        where w.id = i.conversion_id and w.account_id + 0 = i.account_id and w.is_test = i.is_test
          and (i.reference is null or i.reference = coalesce(w.external_reference, w.test_reference)) limit 1)
       union all
       ${conversionByReference}
       limit 1
     ) v
   ), locked as materialized (
     select id from conversion where id = any(array(select id from found)) order by id for no key update
   )
   select found.id from input left join found using (place)
   where (select count(*) from locked) is not null order by place`,
);

/**
 * Finds the conversions of adjustments and locks them until the transaction ends: others that adjust them wait. Returns
 * an id per adjustment, in order; null if the account has no such conversion in this mode.
 */
const lockAdjusted = async (on: Queryable, adjustments: readonly AdjustedConversion[]): Promise<(number | null)[]> => {
  const named = adjustments.map(({ accountId, isTest, conversionId, conversionReference }) => {
    return { accountId, isTest, conversionId, conversionReference };
  });
  return (await findAndLock(on, [JSON.stringify(named)])).map(({ id }) => id);
};

/** References of tests are separate from live ones. */
interface NewAdjustment extends AdjustedConversion {
  readonly kind: AdjustmentKind;
  /** The new total: decimal; rounded half up to the minor unit of the currency when it is stored. */
  readonly amount: string;
  /** Undefined: that of the conversion. */
  readonly currency?: Currency | undefined;
  readonly externalReference?: string | undefined;
  /** ISO 8601. Default: now. */
  readonly occurredAt?: string | undefined;
}

/** Also the stored form for repeated requests. */
const insertedAdjustmentSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('created'),
    id: z.number(),
    conversionId: z.number(),
    currency: z.enum(currencies),
    /** Of the lead, if it is traced. */
    traceParent: z.string().optional(),
    /** Whether the total is ten times what it was, or a tenth: an amount in cents, perhaps. */
    isTenfold: z.boolean().optional(),
  }),
  // `conversionId`: of the adjustment that has the reference. `differs`: what it has otherwise
  z.object({
    kind: z.literal('repeated'),
    conversionId: z.number(),
    differs: z.array(z.enum(['conversion', 'kind', 'amount'])),
  }),
  z.object({
    kind: z.enum([
      'conversion-unknown',
      'retracted',
      'too-many',
      'other-currency',
      'occurred-out-of-range',
      'occurred-before',
    ]),
  }),
]);

type InsertedAdjustment = Readonly<z.infer<typeof insertedAdjustmentSchema>>;

interface Row {
  kind: InsertedAdjustment['kind'] | 'raced';
  id: number | null;
  conversion_id: number | null;
  trace_parent: string | null;
  /** Of the conversion. */
  sale_currency: Currency | null;
  is_tenfold: boolean | null;
  /** Of the adjustment that has the reference. */
  same_conversion_id: number | null;
  is_same_kind: boolean | null;
  is_same_amount: boolean | null;
  /** In the first row only. */
  parcels: NewParcel[] | null;
}

// Runs after its conversions were locked, in the same transaction: the snapshot has every earlier adjustment of them, so
// that the total before is exact, and ids grow with the order of the adjustments. Of several for one conversion only the
// first is inserted. Sorted, so that two statements cannot deadlock on each other's references.
//
// Clocks differ by some minutes: what occurred a little before its conversion occurred with it.
//
// Plan: each conversion and lead by its key, and of its adjustments the last; see `preparedStatement`.
const insert = preparedStatement<Row>(
  'register-adjustments',
  `with input as (
     select * from rows from (json_to_recordset($1) as (
       "accountId" bigint, "isTest" boolean, "conversionId" bigint, kind text, amount numeric, currency text,
       "occurredAt" timestamptz, "externalReference" text))
       with ordinality as i (account_id, is_test, conversion_id, kind, amount, currency, occurred_at, external_reference, place)
   ), adjusted as materialized (
     select i.*, v.currency as sale_currency, ${roundedIn('v.currency', 'i.amount')} as rounded_amount,
            lead.trace_parent, greatest(coalesce(i.occurred_at, now()), v.sold_at) as adjusted_at,
            coalesce(last.amount, v.amount) as previous_amount,
            same.conversion_id as same_conversion_id, same.kind = i.kind as is_same_kind,
            same.amount = ${roundedIn('v.currency', 'i.amount')} as is_same_amount,
            case when same.conversion_id is not null then 'repeated'
                 when i.currency <> v.currency then 'other-currency'
                 when last.kind = 'retract' then 'retracted'
                 when i.kind <> 'retract' and many.found then 'too-many'
                 when i.occurred_at not between now() - interval '400 days' and now() + interval '5 minutes'
                   then 'occurred-out-of-range'
                 when i.occurred_at < v.sold_at - interval '5 minutes' then 'occurred-before'
                 when row_number() over (partition by i.conversion_id order by place) > 1 then 'raced'
                 else 'created' end as outcome
     from input i
     cross join lateral (
       select amount, currency, lead_id, coalesce(occurred_at, created_at) as sold_at from conversion
       where id = i.conversion_id and account_id + 0 = i.account_id limit 1) v
     cross join lateral (select trace_parent from lead where id = v.lead_id limit 1) lead
     left join lateral (
       select amount, kind from conversion_adjustment
       where conversion_id = i.conversion_id and account_id + 0 = i.account_id order by id desc limit 1) last on true
     left join lateral (
       select true as found from conversion_adjustment
       where conversion_id = i.conversion_id and account_id + 0 = i.account_id offset ${adjustmentsMax - 1} limit 1) many on true
     left join lateral (
       (select conversion_id, kind, amount from conversion_adjustment
        where not i.is_test and account_id = i.account_id and external_reference = i.external_reference limit 1)
       union all
       (select conversion_id, kind, amount from conversion_adjustment
        where i.is_test and account_id = i.account_id and test_reference = i.external_reference limit 1)
       limit 1) same on true
   ), fresh as materialized (
     select *, nextval('conversion_adjustment_id_seq') as id from adjusted where outcome = 'created'
   ), inserted as (
     insert into conversion_adjustment (id, account_id, conversion_id, is_test, kind, amount, previous_amount, occurred_at,
                                        external_reference, test_reference)
     select id, account_id, conversion_id, is_test, kind, rounded_amount, previous_amount, adjusted_at,
            case when not is_test then external_reference end, case when is_test then external_reference end
     from fresh order by account_id, external_reference, place
     on conflict do nothing
     returning id
   ), created as (
     select f.id, f.place, f.account_id, f.conversion_id, f.is_test, f.adjusted_at as occurred_at, f.trace_parent
     from fresh f join inserted using (id)
   ), ${enqueuedAdjustments}
   select case when a.outcome = 'created' and c.id is null then 'raced' else coalesce(a.outcome, 'conversion-unknown') end
            as kind,
          c.id, i.conversion_id, c.trace_parent, a.sale_currency, a.same_conversion_id, a.is_same_kind, a.is_same_amount,
          a.kind = 'restate' and least(a.amount, a.previous_amount) > 0
            and greatest(a.amount, a.previous_amount) >= 10 * least(a.amount, a.previous_amount) as is_tenfold,
          case when i.place = 1 then (select parcels from new_parcels) end as parcels
   from input i left join adjusted a using (place) left join created c using (place)
   order by i.place`,
);

const resultOf = (row: Row): Tried<InsertedAdjustment> => {
  const { kind, id, conversion_id: conversionId, trace_parent: traceParent, same_conversion_id: sameId } = row;
  if (kind === 'raced') return tryAgain;
  if (kind === 'repeated') {
    if (sameId === null) throw new Error('a repeated adjustment has no first one');
    const differs = [
      ...(sameId === conversionId ? [] : (['conversion'] as const)),
      ...(row.is_same_kind === true ? [] : (['kind'] as const)),
      ...(row.is_same_amount === true ? [] : (['amount'] as const)),
    ];
    return { kind, conversionId: sameId, differs };
  }
  if (kind !== 'created') return { kind };
  const { sale_currency: currency } = row;
  if (id === null || conversionId === null || currency === null) throw new Error('a created adjustment has no id');
  const isTenfold = row.is_tenfold === true ? true : undefined;
  return { kind, id, conversionId, currency, traceParent: traceParent ?? undefined, isTenfold };
};

/**
 * Inserts adjustments with their deliveries, in a transaction. Returns one result per adjustment, in order, and the new
 * parcels. One whose conversion has another adjustment in the same call is tried again.
 */
const insertAdjustments = async (on: Queryable, adjustments: readonly NewAdjustment[]) => {
  const conversionIds = await lockAdjusted(on, adjustments);
  const input = adjustments.map((adjustment, index) => {
    return { ...adjustment, conversionReference: undefined, conversionId: conversionIds[index] };
  });
  const rows = await insert(on, [JSON.stringify(input)]);
  return { inserted: rows.map(resultOf), parcels: rows[0]?.parcels ?? [] };
};

const idExpected = 'expected a positive whole number';

const isNamed = ({
  conversionId,
  conversionExternalReference,
}: { [Name in 'conversionId' | 'conversionExternalReference']?: unknown }) =>
  conversionId !== undefined || conversionExternalReference !== undefined;

/** An adjustment as callers send it. */
export const adjustmentSchema = z
  .object(
    {
      conversionId: z
        .int(idExpected)
        .positive(idExpected)
        .nullish()
        .transform((id) => id ?? undefined)
        .meta({ description: 'The id of the conversion.' }),
      conversionExternalReference: optionalReference(255).meta({
        description: 'Your own identifier of the conversion. Needed without `conversionId`; with it, both must match.',
      }),
      kind: z.enum(adjustmentKinds, `expected ${adjustmentKinds.join(' or ')}`).meta({
        description:
          '`restate`: the conversion has another total. `retract`: it is taken back: its total is 0, and it takes no more adjustments.',
      }),
      amount: amountSchema
        .nullish()
        .transform((amount) => amount ?? undefined)
        .meta({ description: 'With `restate`: the new total, never a difference. Not with `retract`.' }),
      currency: currencySchema
        .nullish()
        .transform((currency) => currency ?? undefined)
        .meta({ description: 'That of the conversion, if you send it: an adjustment does not change it.' }),
      occurredAt: occurredAtSchema.meta({
        description:
          'When it was adjusted, if not now: RFC 3339 with an offset. At most 5 minutes ahead and 400 days ago, and not before the conversion.',
      }),
      adjustmentExternalReference: optionalReference(255).meta({
        description:
          'Your own identifier for the adjustment, such as the number of a credit note. Registered only once.',
      }),
    },
    { error: 'expected a JSON object' },
  )
  .refine(isNamed, {
    path: ['conversionId'],
    message: 'conversionId or conversionExternalReference is needed to find the conversion',
  })
  .refine(({ kind, amount }) => kind !== 'restate' || amount !== undefined, {
    path: ['amount'],
    message: 'restate needs the new total',
  })
  .refine(({ kind, amount }) => kind !== 'retract' || amount === undefined, {
    path: ['amount'],
    message: 'retract takes no amount; it always means 0',
  });

type Parsed = Readonly<z.infer<typeof adjustmentSchema>>;

type AdjustmentInput = Pick<Parsed, 'kind'> & Partial<Parsed>;

const newAdjustment = (
  mode: AccountMode,
  { conversionExternalReference, adjustmentExternalReference, amount = '0', ...input }: AdjustmentInput,
): NewAdjustment => ({
  ...input,
  ...mode,
  amount,
  conversionReference: conversionExternalReference,
  externalReference: adjustmentExternalReference,
});

type RefusedAdjustment = Exclude<InsertedAdjustment, { readonly kind: 'created' }>;

const refusalOfAdjustment = (adjustment: RefusedAdjustment): Refusal => {
  switch (adjustment.kind) {
    case 'conversion-unknown':
      return new Refusal('conversion-unknown.adjusted');
    case 'repeated': {
      const { differs, conversionId } = adjustment;
      return differs.length === 0
        ? new Refusal('adjustment-repeated', { conversionId })
        : new Refusal('invalid-fields', {
            message: `${differs.join(', ')}: not as registered with this adjustmentExternalReference; if it is another adjustment, send a reference of its own`,
          });
    }
    case 'retracted':
      return new Refusal('conversion-retracted');
    case 'too-many':
      return new Refusal('invalid-fields.adjustments');
    case 'other-currency':
      return new Refusal('invalid-fields.currency');
    case 'occurred-out-of-range':
      return new Refusal('invalid-fields.occurredAt');
    case 'occurred-before':
      return new Refusal('invalid-fields.occurredBefore');
  }
};

/**
 * Changes the totals of conversions as `conversionAdjuster` does, in a transaction, of each conversion once. Returns one result
 * per adjustment, in order, and the new parcels, to be announced after the commit.
 */
export const adjustConversions = async (
  on: Queryable,
  adjustments: readonly (AccountMode & AdjustmentInput)[],
): Promise<{ readonly results: readonly InsertedAdjustment[]; readonly parcels: readonly NewParcel[] }> => {
  const wanted = adjustments.map(({ accountId, isTest, ...input }) => newAdjustment({ accountId, isTest }, input));
  const results: InsertedAdjustment[] = [];
  const parcels: NewParcel[] = [];
  let left = wanted.map((adjustment, index) => ({ adjustment, index }));
  while (left.length > 0) {
    const { inserted, parcels: added } = await insertAdjustments(
      on,
      left.map(({ adjustment }) => adjustment),
    );
    parcels.push(...added);
    const lost: typeof left = [];
    for (const [place, one] of left.entries()) {
      const result = inserted[place];
      if (result === undefined) throw new Error('fewer results than adjustments');
      if (result === tryAgain) lost.push(one);
      else results[one.index] = result;
    }
    left = lost;
  }
  return { results, parcels };
};

/**
 * Holds the requests that wait to share a statement. Returns a function that changes the total of a conversion, and registers a delivery of the change to each connection to
 * which the conversion has one. Adjustments of one conversion are registered one after the other. Throws
 * `conversion-unknown`, `adjustment-repeated` if the external reference is used already in the account and mode for the same
 * adjustment, `conversion-retracted`, and `invalid-fields` if it is used for another one, the conversion has as many adjustments as it may have, or the time is out of range
 * by the clock of the database. A missing conversion is never stored for a repeated request: it may be registered later.
 */
export const conversionAdjuster = (pool: Pool, { announce }: Pick<RegistrarOptions, 'announce'>) => {
  const adjust = onceEach(pool, {
    route: ({ isTest }: NewAdjustment) => (isTest ? 'test adjustment' : 'adjustment'),
    needsTransaction: () => true,
    async run(on, adjustments) {
      const { inserted, parcels } = await insertAdjustments(on, adjustments);
      if (parcels.length > 0) afterCommit(on, () => announce(parcels));
      return inserted;
    },
    schema: insertedAdjustmentSchema,
    isFinal: ({ kind }) => kind === 'created' || kind === 'repeated' || kind === 'retracted' || kind === 'too-many',
    accept(adjustment) {
      if (adjustment.kind !== 'created') throw refusalOfAdjustment(adjustment);
      const { id, conversionId, currency, traceParent, isTenfold = false } = adjustment;
      return { id, conversionId, currency, traceParent, isTenfold };
    },
  });
  return async (mode: AccountMode, input: AdjustmentInput, idempotencyKey?: string) => {
    const { result, isRepeated } = await adjust({ item: newAdjustment(mode, input), idempotencyKey });
    return { ...result, warnings: amountWarnings(input.amount, result.currency), isRepeated };
  };
};
