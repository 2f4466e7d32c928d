import { type AccountMode, type Currency, strictSchema } from '@leadback/domain';
import type { Contacts, Queryable } from '@leadback/db';
import type { NewParcel } from '../delivery/enqueue.ts';
import { type InsertedConversion, insertConversions, type NewConversion } from '../conversions/insert-conversions.ts';
import { conversionItemSchema, newConversion, refusalOfConversion } from '../conversions/new-conversion.ts';
import { lost, type Tried } from '../once.ts';
import { compareConversions, type Comparison } from './compare-conversions.ts';
import { type RefusedItem, registerItems } from './register-items.ts';

interface RegisteredItem {
  readonly id: number;
  readonly leadId: number;
}

export type ConversionOutcome =
  | (RegisteredItem & {
      readonly outcome: 'created';
      readonly currency: Currency;
      /** Of the lead, if it is traced. */
      readonly traceParent: string | undefined;
    })
  // `id`: of the first conversion with the reference
  | (RegisteredItem & { readonly outcome: 'repeated' })
  | (RegisteredItem & { readonly outcome: 'differs'; readonly message: string })
  | RefusedItem;

type Result = InsertedConversion | { readonly kind: 'compared'; readonly id: number; readonly with: Comparison };

const messageOf = ({ isSameAmount, isSameCurrency, isSameClient }: Comparison): string | undefined => {
  const fields = [...(isSameAmount ? [] : ['amount']), ...(isSameCurrency ? [] : ['currency'])];
  const different = [...fields, ...(isSameClient ? [] : ['client'])];
  return different.length === 0
    ? undefined
    : `${different.join(', ')}: not as registered with this conversionExternalReference`;
};

const outcomeOf = (result: Result, { currency }: NewConversion) => {
  if (result.kind === 'created') {
    const { id, leadId, traceParent } = result;
    return { outcome: 'created' as const, id, leadId, currency, traceParent };
  }
  if (result.kind !== 'compared') return refusalOfConversion(result);
  const { id, with: first } = result;
  const message = messageOf(first);
  const registered = { id, leadId: first.leadId };
  return message === undefined
    ? { outcome: 'repeated' as const, ...registered }
    : { outcome: 'differs' as const, ...registered, message };
};

/** Replaces the results of repeated references with comparisons. */
const compared = async (
  on: Queryable,
  conversions: readonly NewConversion[],
  inserted: readonly Tried<InsertedConversion>[],
  contacts: Contacts,
): Promise<Tried<Result>[]> => {
  const repetitions = conversions.flatMap((conversion, index) => {
    const result = inserted[index];
    if (result === undefined || result === lost || result.kind !== 'repeated') return [];
    return { index, firstId: result.firstId, conversion };
  });
  const comparisons = await compareConversions(on, repetitions, contacts);
  const results: Tried<Result>[] = [...inserted];
  for (const [place, { index, firstId }] of repetitions.entries()) {
    const comparison = comparisons[place];
    if (!comparison) throw new Error('a first conversion was not found');
    results[index] = { kind: 'compared', id: firstId, with: comparison };
  }
  return results;
};

/**
 * Registers conversions as `conversionRegistrar` does, through a pool or in a transaction. Every item needs a
 * `conversionExternalReference`; of several items with one reference, the first one is created. Returns one outcome per
 * item, in order, and the new parcels, to be announced after the commit.
 */
export const registerConversions = async (
  on: Queryable,
  mode: AccountMode,
  items: readonly unknown[],
  contacts: Contacts,
): Promise<{ readonly outcomes: ConversionOutcome[]; readonly parcels: NewParcel[] }> => {
  const parcels: NewParcel[] = [];
  const outcomes = await registerItems(items, {
    schema: mode.isTest ? strictSchema(conversionItemSchema) : conversionItemSchema,
    itemOf: (input) => newConversion(mode, input),
    namesOf: ({ externalReference, eventId = externalReference }) => [
      `reference ${externalReference}`,
      `event ${eventId}`,
    ],
    async run(conversions): Promise<Tried<Result>[]> {
      const { inserted, parcels: added } = await insertConversions(on, conversions, contacts);
      parcels.push(...added);
      return compared(on, conversions, inserted, contacts);
    },
    secondTry: (conversion): NewConversion => ({ ...conversion, isSecondTry: true }),
    outcomeOf,
  });
  return { outcomes, parcels };
};
