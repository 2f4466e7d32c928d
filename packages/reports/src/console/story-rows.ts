import type { AdjustmentKind, ClickParameters, ClickTimes, ConsentScope, Currency, GpcReading } from '@leadback/domain';
import { preparedStatement } from '@leadback/db';
import type { StoredClientContact, StoredLeadContact } from '../stored-contact.ts';

export interface LeadRow {
  readonly id: number;
  /** The client that was asked for, itself or by its conversion; null: the lead was. */
  readonly clientId: number | null;
  readonly reference: string;
  /** The slug of the landing page. */
  readonly page: string;
  readonly clickParameters: ClickParameters;
  readonly clickTimes: ClickTimes | null;
  readonly referrer: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly consent: boolean | null;
  readonly consentScope: ConsentScope | null;
  readonly globalPrivacyControl: boolean;
  readonly gpcReading: GpcReading;
  readonly isWithdrawn: boolean;
  readonly createdAt: Date;
}

/** The lead $2, or that of the client $3, or that of the conversion $4. */
export const readLead = preparedStatement<LeadRow & StoredLeadContact>(
  'read-lead-of-story',
  `select l.id, wanted.client_id as "clientId", l.reference, p.slug as page, l.click_marks as "clickParameters", l.click_times as "clickTimes", l.referrer,
          l.name, l.email, l.phone, l.contact, a.data_key as "dataKey", l.consent, l.consent_scope as "consentScope",
          l.global_privacy_control as "globalPrivacyControl", l.consent_withdrawn_at is not null as "isWithdrawn", a.gpc_reading as "gpcReading", l.created_at as "createdAt"
   from (
     select $2::bigint as id, null::bigint as client_id
     union all
     select lead_id, id from client
     where account_id + 0 = $1 and id = coalesce($3::bigint, (
       select client_id from conversion where id = $4::bigint and account_id + 0 = $1 limit 1))
   ) wanted
   cross join lateral (select * from lead where id = wanted.id and account_id + 0 = $1 limit 1) l
   cross join lateral (select slug from landing_page where id = l.landing_page_id limit 1) p
   cross join lateral (select gpc_reading, data_key from account where id = l.account_id limit 1) a`,
);

export interface ClientRow {
  readonly id: number;
  readonly name: string | null;
  readonly email: string | null;
  readonly phoneNumber: string | null;
  readonly externalReference: string | null;
  readonly isTest: boolean;
  readonly createdAt: Date;
  /** How many the lead has, up to 1,000. */
  readonly ofLead: number;
}

// one click may be given to many clients, if a partner shares it among them
const clientsReadMax = 1_000;

/** Of the lead $2: the client $3 if there is one, else the newest, at most $4. */
export const readClients = preparedStatement<ClientRow & StoredClientContact>(
  'read-clients-of-story',
  `select c.id, c.name, c.email, c.phone_number as "phoneNumber", c.contact,
          (select data_key from account where id = $1) as "dataKey",
          coalesce(c.external_reference, c.test_reference) as "externalReference", c.is_test as "isTest",
          c.created_at as "createdAt", c."ofLead"
   from (
     select *, count(*) over () as "ofLead"
     from (select * from client where lead_id = $2 and account_id + 0 = $1 and id <> coalesce($3::bigint, 0)
           limit ${clientsReadMax}) others
     where $3::bigint is null
     union all
     select *, (select count(*) from (select from client where lead_id = $2 and account_id + 0 = $1
                                      limit ${clientsReadMax}) counted)
     from client where id = $3::bigint and lead_id = $2 and account_id + 0 = $1
   ) c
   order by c.id desc limit $4`,
);

export interface ConversionRow {
  readonly id: number;
  readonly clientId: number;
  readonly externalReference: string | null;
  readonly eventName: string | null;
  /** As it was registered. */
  readonly amount: string;
  readonly currency: Currency;
  readonly isTest: boolean;
  readonly occurredAt: Date;
  readonly createdAt: Date;
}

/** Of each client in $2 the newest, at most $3, and in any case the conversion $4. */
export const readConversions = preparedStatement<ConversionRow>(
  'read-conversions-of-story',
  `select distinct v.id, v.client_id as "clientId", coalesce(v.external_reference, v.test_reference) as "externalReference",
          v.event_name as "eventName", v.amount, v.currency, v.is_test as "isTest",
          coalesce(v.occurred_at, v.created_at) as "occurredAt", v.created_at as "createdAt"
   from unnest($2::bigint[]) c (id)
   cross join lateral (
     select * from (select * from conversion where client_id = c.id and account_id + 0 = $1
                    order by client_id desc, id desc limit $3) newest
     union all
     select * from conversion where id = $4::bigint and client_id + 0 = c.id and account_id + 0 = $1
   ) v
   order by v.id`,
);

export interface AdjustmentRow {
  readonly id: number;
  readonly conversionId: number;
  readonly kind: AdjustmentKind;
  /** The new total. */
  readonly amount: string;
  readonly externalReference: string | null;
  readonly occurredAt: Date;
}

/** Of the conversions in $2. One has at most 100. */
export const readAdjustmentRows = preparedStatement<AdjustmentRow>(
  'read-adjustments-of-story',
  `select a.id, a.conversion_id as "conversionId", a.kind, a.amount,
          coalesce(a.external_reference, a.test_reference) as "externalReference", a.occurred_at as "occurredAt"
   from unnest($2::bigint[]) v (id)
   cross join lateral (
     select * from conversion_adjustment where conversion_id = v.id and account_id + 0 = $1 offset 0) a
   order by a.id`,
);

export interface SubjectRow {
  readonly id: number;
  readonly clientId: number | null;
  readonly conversionId: number | null;
  readonly adjustmentId: number | null;
}

const deliveriesOf = (subject: string, ids: string) => `
  select f.id, f.client_id as "clientId", f.conversion_id as "conversionId", f.adjustment_id as "adjustmentId"
  from unnest(${ids}::bigint[]) s (id)
  cross join lateral (
    select * from feedback where ${subject} = s.id and account_id + 0 = $1 and ${subject} is not null offset 0) f`;

/** The deliveries of the clients $2, conversions $3 and adjustments $4, at most $5. */
export const readSubjects = preparedStatement<SubjectRow>(
  'read-deliveries-of-story',
  `${deliveriesOf('client_id', '$2')} union all ${deliveriesOf('conversion_id', '$3')}
   union all ${deliveriesOf('adjustment_id', '$4')} order by id limit $5`,
);
