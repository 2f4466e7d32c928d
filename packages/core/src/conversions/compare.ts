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

export type Repeated = Readonly<z.infer<typeof repeatedSchema>>;

/** `Repeated` before it was compared with the first conversion. */
export type Repetition = { readonly kind: 'repeated'; readonly firstId: number };

interface Comparison {
  /** Of the first conversion. */
  readonly leadId: number;
  readonly isSameAmount: boolean;
  readonly isSameCurrency: boolean;
  readonly isSameClient: boolean;
}

const clientOfRepetition = byReference({
  table: 'client',
  as: 'r',
  columns: 'r.id',
  ...ofInput,
  reference: 'i.client_reference',
});

// The client is the same if the repetition names it by the reference that comes first, or else by its email: a client
// that was registered later with the same email makes no difference.
const compare = preparedStatement<Comparison>(
  'compare-conversions',
  `select first.amount = ${roundedIn('first.currency', 'i.amount')} as "isSameAmount", first.currency = i.currency as "isSameCurrency",
          coalesce(named.id = c.id, c.email_hash = i.email_hash, false) as "isSameClient", first.lead_id as "leadId"
   from rows from (json_to_recordset($1) as (
     "firstId" bigint, "accountId" bigint, "isTest" boolean, amount numeric, currency text,
     "clientExternalReference" text, "emailHash" text)) with ordinality
     as i (first_id, account_id, is_test, amount, currency, client_reference, email_hash, place)
   cross join lateral (
     select amount, currency, client_id, lead_id from conversion
     where id = i.first_id and account_id = i.account_id and is_test = i.is_test limit 1
   ) first
   cross join lateral (
     select id, case when i.is_test then test_email_hash else email_hash end as email_hash from client
     where id = first.client_id limit 1
   ) c
   left join lateral (
     ${clientOfRepetition}
     limit 1
   ) named on true
   order by i.place`,
);

const repeated = (firstId: number, compared: Comparison): Repeated => ({
  kind: 'repeated',
  firstId,
  leadId: compared.leadId,
  differs: [
    ...(compared.isSameAmount ? [] : (['amount'] as const)),
    ...(compared.isSameCurrency ? [] : (['currency'] as const)),
    ...(compared.isSameClient ? [] : (['client'] as const)),
  ],
});

interface Compared extends AccountMode {
  readonly amount: string;
  readonly currency: string;
  readonly clientExternalReference?: string | undefined;
  readonly emailHash?: string | undefined;
}

const isRepetition = <Other extends object>(result: Tried<Other | Repetition>): result is Repetition =>
  result !== tryAgain && 'kind' in result && result.kind === 'repeated';

/** Compares conversions whose references are repeated with the first ones of these. */
export const withComparisons = async <Other extends object>(
  on: Queryable,
  conversions: readonly Compared[],
  results: readonly Tried<Other | Repetition>[],
): Promise<Tried<Other | Repeated>[]> => {
  const toCompare = results.flatMap((result, index) => {
    const conversion = conversions[index];
    if (!isRepetition(result) || conversion === undefined) return [];
    const { accountId, isTest, amount, currency, clientExternalReference, emailHash } = conversion;
    return { firstId: result.firstId, accountId, isTest, amount, currency, clientExternalReference, emailHash };
  });
  const comparisons = toCompare.length === 0 ? [] : await compare(on, [JSON.stringify(toCompare)]);
  return results.map((result) => {
    if (!isRepetition(result)) return result;
    const comparison = comparisons.shift();
    if (!comparison) throw new Error('a first conversion was not found');
    return repeated(result.firstId, comparison);
  });
};

/** Names what a repeated conversion has otherwise than the first one. */
export const differsMessage = (differs: readonly string[]): string =>
  `${differs.join(', ')}: not as registered with this conversionExternalReference`;
