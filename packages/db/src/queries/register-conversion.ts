import { type AccountId, type Currency, type FeedbackToSend, platformNames } from '@leadback/domain';
import type { Pool } from 'pg';
import { z } from 'zod';
import { blameOf } from '../database-failure.ts';
import { group } from '../group.ts';
import { type Answered, idempotent, type Requested } from '../idempotent.ts';
import { preparedStatement, type Queryable } from '../prepared-statement.ts';
import { lease } from './lease.ts';

export interface NewConversion {
  readonly accountId: AccountId;
  readonly clientExternalReference?: string | undefined;
  readonly emailKey?: string | undefined;
  /** Decimal; rounded half up to the cent by `numeric(12,2)`. */
  readonly amount: string;
  readonly currency: Currency;
  /** Its references are apart from those of real conversions. */
  readonly isTest: boolean;
  readonly externalReference?: string | undefined;
}

const registrationSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('created'),
    id: z.number(),
    leadId: z.number(),
    /** Of the lead, where that is traced. */
    traceParent: z.string().optional(),
    feedback: z.array(
      // answers that were kept before connections were named in them are given again for a day
      z.object({ feedbackId: z.number(), connectionId: z.number().optional(), platform: z.enum(platformNames) }),
    ),
  }),
  z.object({ kind: z.literal('client-unknown') }),
  z.object({ kind: z.literal('repeated') }),
]);

export type ConversionRegistration = Readonly<z.infer<typeof registrationSchema>>;

interface Row {
  matched: boolean;
  id: number | null;
  lead_id: number | null;
  trace_parent: string | null;
  feedback: FeedbackToSend[];
}

// Conversions that arrive together share one statement and one commit, each with a feedback row for every connection of
// its account. The rows are due one lease ahead: the API publishes them itself once they are committed, and the relay
// only looks at those for which that went wrong. A connection that needs attention gets its rows too; they wait for it.
// Sorted, so that two statements never wait for each other's references crosswise.
const insertConversions = preparedStatement<Row>(
  'register-conversions',
  `with input as (
     select * from rows from (json_to_recordset($1) as (
       "accountId" bigint, "clientExternalReference" text, "emailKey" text, amount numeric, currency text,
       "isTest" boolean, "externalReference" text)) with ordinality
       as i (account_id, client_external_reference, email_key, amount, currency, is_test, external_reference, place)
   ), matched as (
     select i.*, c.id as client_id, c.lead_id, nextval('conversion_id_seq') as id
     from input i join client c on c.id = coalesce(
       (select r.id from client r
        where r.account_id = i.account_id and r.external_reference = i.client_external_reference),
       (select e.id from client e
        where e.account_id = i.account_id and e.email_key = i.email_key order by e.id desc limit 1))
   ), created as (
     insert into conversion (id, account_id, client_id, amount, currency, is_test, external_reference, test_reference)
     select id, account_id, client_id, amount, currency, is_test,
            case when not is_test then external_reference end, case when is_test then external_reference end
     from matched order by account_id, external_reference, is_test, place
     on conflict do nothing
     returning id, account_id
   ), feedback as (
     insert into feedback (account_id, conversion_id, connection_id, due_at)
     select created.account_id, created.id, connection.id, now() + $2::interval
     from created join platform_connection connection using (account_id)
     where connection.state in ('active', 'needs_attention')
     returning id, conversion_id, connection_id
   )
   select m.id is not null as matched, c.id, case when c.id is not null then m.lead_id end as lead_id, l.trace_parent,
          coalesce((select json_agg(json_build_object('feedbackId', f.id, 'connectionId', f.connection_id, 'platform', connection.platform))
                    from feedback f join platform_connection connection on connection.id = f.connection_id
                    where f.conversion_id = c.id), '[]') as feedback
   from input i
   left join matched m using (place)
   left join created c on c.id = m.id
   left join lead l on l.id = m.lead_id
   order by i.place`,
);

const registerConversions = async (
  on: Queryable,
  conversions: readonly NewConversion[],
): Promise<ConversionRegistration[]> => {
  const rows = await insertConversions(on, [JSON.stringify(conversions), lease]);
  return rows.map(({ matched, id, lead_id: leadId, trace_parent: traceParent, feedback }) => {
    if (!matched) return { kind: 'client-unknown' };
    if (id === null || leadId === null) return { kind: 'repeated' };
    return { kind: 'created', id, leadId, traceParent: traceParent ?? undefined, feedback };
  });
};

export type ConversionRegistrar = (request: Requested<NewConversion>) => Promise<Answered<ConversionRegistration>>;

/**
 * Gives a function that registers one conversion of the client found by external reference, else by e-mail (the newest
 * with that address), together with its feedback rows. An external reference already used in the account is 'repeated',
 * also when both arrive at the same instant.
 */
export const conversionRegistrar = (pool: Pool): ConversionRegistrar =>
  group(idempotent(pool, { route: 'conversion', run: registerConversions, schema: registrationSchema }), {
    itemsMax: 50,
    runsMax: 2,
    blame: blameOf,
  });
