import { type Pool, failureScopeOf, type Queryable } from '@leadback/db';
import { z } from 'zod';
import { batch } from '@leadback/runtime/batch';
import { type Answered, idempotent, type Requested } from './once-each.ts';
import {
  type ConversionRegistration,
  conversionRegistrationSchema,
  type NewConversion,
} from './conversion-registration.ts';
import { type InsertedConversion, insertConversions } from './insert-conversions.ts';
import { lease } from '@leadback/delivery';

// lost: not inserted, and no visible conversion has its reference or event id
const triedSchema = z.union([conversionRegistrationSchema, z.object({ kind: z.literal('lost') })]);
type Tried = z.infer<typeof triedSchema>;

const registrationOf = (row: InsertedConversion): Tried => {
  if (!row.is_timely) return { kind: 'occurred-out-of-range' };
  if (!row.is_matched) return { kind: 'client-unknown' };
  const { id, lead_id: leadId, trace_parent: traceParent, feedback } = row;
  if (id !== null && leadId !== null)
    return { kind: 'created', id, leadId, traceParent: traceParent ?? undefined, feedback };
  if (row.same_reference_id !== null) return { kind: 'repeated', firstId: row.same_reference_id };
  return row.same_event_id === null ? { kind: 'lost' } : { kind: 'event-repeated', firstId: row.same_event_id };
};

const registerConversions = async (on: Queryable, conversions: readonly NewConversion[]): Promise<Tried[]> => {
  const rows = await insertConversions(on, [JSON.stringify(conversions), lease]);
  return rows.map(registrationOf);
};

export type ConversionRegistrar = (request: Requested<NewConversion>) => Promise<Answered<ConversionRegistration>>;

/**
 * Returns a function that registers one conversion with its feedback rows. The client is found by external reference,
 * else by email (the newest with that email); a test finds clients of tests only. An external reference already used in
 * the account and mode is 'repeated', an event id of another conversion 'event-repeated', also if both arrive at the
 * same time. A missing client is never stored for a repeated request, because it may be registered later.
 */
export const conversionRegistrar = (pool: Pool): ConversionRegistrar => {
  const register = batch(
    idempotent(pool, {
      route: ({ isTest }) => (isTest ? 'test conversion' : 'conversion'),
      fingerprinted: (conversion) => ({ ...conversion, isSecondTry: undefined }),
      run: registerConversions,
      schema: triedSchema,
      isFinal: ({ kind }) => kind === 'created' || kind === 'repeated' || kind === 'event-repeated',
    }),
    { itemsMax: 50, runsMax: 2, failureScope: failureScopeOf },
  );
  // alone: the rest of the batch is committed and must not be registered again if this fails
  return async (request) => {
    for (let tried = request; ; tried = { ...request, item: { ...request.item, isSecondTry: true } }) {
      const answered = await register(tried);
      if (answered.kind !== 'answered') return answered;
      const { result } = answered;
      if (result.kind !== 'lost') return { ...answered, result };
    }
  };
};
