import { furtherLeads } from './attribution.ts';

/**
 * SQL: a select of what the person of a client with several leads has said last, as the columns consent, consent_scope,
 * global_privacy_control and is_consent_withdrawn. A visit whose page did not ask is silence: it takes back neither a consent nor a
 * refusal, and a browser that asks once not to be tracked has asked. No row for a client with one lead, whose own columns say it.
 * All values are SQL expressions.
 */
export const lastWord = (client: {
  readonly id: string;
  readonly leadId: string;
  readonly accountId: string;
}): string => `
       select (array_agg(word.consent order by word.at desc) filter (where word.consent is not null))[1] as consent,
              (array_agg(word.consent_scope order by word.at desc) filter (where word.consent is not null))[1] as consent_scope,
              coalesce(bool_or(said.global_privacy_control), false) as global_privacy_control,
              coalesce((array_agg(word.is_withdrawal order by word.at desc) filter (where word.at is not null))[1], false)
                as is_consent_withdrawn
       from (select array(${furtherLeads(client.id, client.accountId)}) as ids) further
       join lead said on said.id = any(further.ids || ${client.leadId}) and cardinality(further.ids) > 0
       cross join lateral (values
         (case when said.consent is not null then said.created_at end, said.consent, said.consent_scope, false),
         (said.consent_withdrawn_at, null, null, true)
       ) word (at, consent, consent_scope, is_withdrawal)
       having count(*) > 0`;

/** SQL: the columns of `lastWord` of the lead l, or of the row `word`, if there is one. */
export const consentColumns = `case when word.is_consent_withdrawn is null then l.consent else word.consent end as consent,
            case when word.is_consent_withdrawn is null then l.consent_scope else word.consent_scope end as consent_scope,
            coalesce(word.global_privacy_control, l.global_privacy_control) as global_privacy_control,
            coalesce(word.is_consent_withdrawn, l.consent_withdrawn_at is not null) as is_consent_withdrawn`;
