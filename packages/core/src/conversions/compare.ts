import type { AccountMode } from '@leadback/domain';
import { preparedStatement, type Queryable } from '@leadback/db';
import { z } from 'zod';
import { tryAgain, type Tried } from '../once.ts';
import { byReference, ofInput, roundedIn } from '../registering.ts';

/** A conversion whose reference is that of another one, the first. Also the stored form for repeated requests. */
export const repeatedSchema = z.object({
  kind: z.literal('repeated'),
  firstId: z.number(),
  leadId: z.number(),
  /** What the first one has otherwise. */
  differs: z.array(z.enum(['amount', 'currency', 'client'])),
});

/** Another conversion, the first, has the event id that the partner chose. */
export const eventRepeatedSchema = z.object({ kind: z.literal('event-repeated'), firstId: z.number() });

export type TakenBy = Readonly<z.infer<typeof repeatedSchema>> | Readonly<z.infer<typeof eventRepeatedSchema>>;

/** A conversion that was not inserted: another one has its reference or its event id. */
export interface Taken {
  readonly kind: 'taken';
  /** With the prefix of the account; null: the partner chose none. */
  readonly eventId: string | null;
}

interface First {
  readonly firstId: number | null;
  readonly leadId: number | null;
  readonly isSameAmount: boolean;
  readonly isSameCurrency: boolean;
  readonly isSameClient: boolean;
  /** The conversion that has the event id, if none has the reference. */
  readonly eventFirstId: number | null;
}

const clientOfRepetition = byReference({
  table: 'client',
  as: 'r',
  columns: 'r.id',
  ...ofInput,
  reference: 'i.client_reference',
});

const firstByReference = byReference({
  table: 'conversion',
  as: 'v',
  columns: 'v.id, v.amount, v.currency, v.client_id, v.lead_id',
  ...ofInput,
  reference: 'i.external_reference',
});

// The client is the same if the repetition names it by the reference that comes first, or else by its email: a client
// that was registered later with the same email makes no difference. Plan: of each reference and id one entry of an index.
const findFirsts = preparedStatement<First>(
  'find-first-conversions',
  `select first.id as "firstId", first.lead_id as "leadId",
          first.amount = ${roundedIn('first.currency', 'i.amount')} as "isSameAmount", first.currency = i.currency as "isSameCurrency",
          coalesce(named.id = c.id, c.email_hash = i.email_hash, false) as "isSameClient",
          case when first.id is null then (
            select v.id from conversion v where v.account_id = i.account_id and v.event_id = i.event_id) end as "eventFirstId"
   from rows from (json_to_recordset($1) as (
     "accountId" bigint, "isTest" boolean, amount numeric, currency text, "externalReference" text, "eventId" text,
     "clientExternalReference" text, "emailHash" text)) with ordinality
     as i (account_id, is_test, amount, currency, external_reference, event_id, client_reference, email_hash, place)
   left join lateral (
     ${firstByReference}
     limit 1
   ) first on true
   left join lateral (
     select id, case when i.is_test then test_email_hash else email_hash end as email_hash from client
     where id = first.client_id limit 1
   ) c on true
   left join lateral (
     ${clientOfRepetition}
     limit 1
   ) named on true
   order by i.place`,
);

const takenBy = ({ firstId, leadId, eventFirstId, ...same }: First): Tried<TakenBy> => {
  if (firstId !== null && leadId !== null) {
    const { isSameAmount, isSameCurrency, isSameClient } = same;
    return {
      kind: 'repeated',
      firstId,
      leadId,
      differs: [
        ...(isSameAmount ? [] : (['amount'] as const)),
        ...(isSameCurrency ? [] : (['currency'] as const)),
        ...(isSameClient ? [] : (['client'] as const)),
      ],
    };
  }
  return eventFirstId === null ? tryAgain : { kind: 'event-repeated', firstId: eventFirstId };
};

interface Searched extends AccountMode {
  readonly amount: string;
  readonly currency: string;
  readonly externalReference?: string | undefined;
  readonly clientExternalReference?: string | undefined;
  readonly emailHash?: string | undefined;
}

const isTaken = (result: Tried<{ readonly kind: string }>): result is Taken =>
  result !== tryAgain && result.kind === 'taken';

/** Looks up the conversions that have what others wanted, and compares them. Results and conversions are in the same order. */
export const withFirsts = async <Other extends { readonly kind: string }>(
  on: Queryable,
  conversions: readonly Searched[],
  results: readonly Tried<Other | Taken>[],
): Promise<Tried<Other | TakenBy>[]> => {
  const taken = results.flatMap((result, index) => {
    const conversion = conversions[index];
    if (!isTaken(result) || conversion === undefined) return [];
    const { accountId, isTest, amount, currency, externalReference, clientExternalReference, emailHash } = conversion;
    const { eventId } = result;
    return { accountId, isTest, amount, currency, externalReference, clientExternalReference, emailHash, eventId };
  });
  const firsts = taken.length === 0 ? [] : await findFirsts(on, [JSON.stringify(taken)]);
  return results.map((result) => {
    if (!isTaken(result)) return result;
    const first = firsts.shift();
    return first === undefined ? tryAgain : takenBy(first);
  });
};

/** Names what a repeated conversion has otherwise than the first one. */
export const differsMessage = (differs: readonly string[]): string =>
  `${differs.join(', ')}: not as registered with this conversionExternalReference`;
