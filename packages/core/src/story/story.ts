import type {
  AdjustmentKind,
  ClickParameters,
  ClickTimes,
  ConsentScope,
  Contact,
  Currency,
  GpcReading,
  ToldConsent,
} from '@leadback/domain';
import { type ContactCipher, type Queryable, statement } from '@leadback/db';
import { msOf } from '../leads/consent.ts';
import type { AccountScope } from '../people/access.ts';
import { type Click, type StoredContact, clientContact, leadContact, readClicks } from '../clients/read.ts';
import { type ListedDelivery, readListedDeliveries } from '../delivery/list-deliveries.ts';
import { shownSlug } from '../pages/list-pages.ts';

interface LeadRow {
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
  readonly consentMs: number;
  /** Reported with a test key. */
  readonly isTest: boolean;
  /** Of the client, else of the lead itself; null: nothing. */
  readonly told: ToldConsent | null;
  readonly createdAt: Date;
}

/** The lead $2, or the first of the client $3, or the one that counts for the conversion $4. */
const readLead = statement<Omit<LeadRow, 'name' | 'email' | 'phone'> & StoredContact>(
  `select l.id, wanted.client_id as "clientId", l.reference, ${shownSlug()} as page, l.click_parameters as "clickParameters", l.click_times as "clickTimes", l.referrer,
          l.contact, a.data_key as "dataKey", l.consent, l.consent_scope as "consentScope",
          l.global_privacy_control as "globalPrivacyControl", l.consent_withdrawn_at is not null as "isWithdrawn", a.gpc_reading as "gpcReading", l.created_at as "createdAt",
          ${msOf('l.created_at')} as "consentMs", case when c.id is not null then json_build_object(
            'adUserData', c.ad_user_data, 'adUserDataMs', ${msOf('c.ad_user_data_at')},
            'adPersonalization', c.ad_personalization, 'adPersonalizationMs', ${msOf('c.ad_personalization_at')})
            when l.ad_user_data then json_build_object(
            'adUserData', true, 'adUserDataMs', ${msOf('l.created_at')}, 'adPersonalization', null, 'adPersonalizationMs', null)
          end as told, l.is_test as "isTest"
   from (
     select $2::bigint as id, null::bigint as client_id
     union all
     select lead_id, id from client where id = $3::bigint and account_id = $1
     union all
     select lead_id, client_id from conversion where id = $4::bigint and account_id = $1
   ) wanted
   join lead l on l.id = wanted.id and l.account_id = $1
   join landing_page p on p.id = l.landing_page_id
   join account a on a.id = l.account_id
   left join client c on c.id = wanted.client_id and c.account_id = $1`,
);

interface ClientRow extends Contact {
  readonly id: number;
  readonly externalReference: string | null;
  readonly isTest: boolean;
  readonly createdAt: Date;
  /** How many the lead has, up to 1,000. */
  readonly ofLead: number;
  /** All of the client, oldest first. */
  readonly clicks: readonly Click[];
}

// one click may be given to many clients, if a partner shares it among them
const clientsReadMax = 1_000;

const clientsOfLead = `
      select id, lead_id from (
        select id, lead_id, account_id from client where lead_id = $2
        union all
        select c.id, c.lead_id, c.account_id from client_lead further join client c on c.id = further.client_id
        where further.lead_id = $2
      ) every where account_id = $1`;

/** Of the lead $2: the client $3 if there is one, else the newest, at most $4. */
const readClients = statement<
  Omit<ClientRow, keyof Contact | 'clicks'> & StoredContact & { readonly contactOwner: string }
>(
  `select c.id, c.contact, own.reference as "contactOwner",
          (select data_key from account where id = $1) as "dataKey",
          coalesce(c.external_reference, c.test_reference) as "externalReference", c.is_test as "isTest",
          c.created_at as "createdAt", c."ofLead"
   from (
     select *, count(*) over () as "ofLead"
     from client where id in (select id from (${clientsOfLead}) others limit ${clientsReadMax}) and $3::bigint is null
     union all
     select *, (select count(*) from (select from (${clientsOfLead}) every limit ${clientsReadMax}) counted)
     from client where id = $3::bigint and account_id = $1
   ) c
   join lead own on own.id = c.lead_id
   order by c.id desc limit $4`,
);

interface ConversionRow {
  readonly id: number;
  readonly clientId: number;
  /** The click that counts. */
  readonly leadId: number;
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
const readConversions = statement<ConversionRow>(
  `select distinct v.id, v.client_id as "clientId", v.lead_id as "leadId", coalesce(v.external_reference, v.test_reference) as "externalReference",
          v.event_name as "eventName", v.amount, v.currency, v.is_test as "isTest",
          coalesce(v.occurred_at, v.created_at) as "occurredAt", v.created_at as "createdAt"
   from unnest($2::bigint[]) c (id)
   cross join lateral (
     (select * from conversion where client_id = c.id and account_id = $1 order by id desc limit $3)
     union all
     select * from conversion where id = $4::bigint and client_id = c.id and account_id = $1
   ) v
   order by v.id`,
);

interface AdjustmentRow {
  readonly id: number;
  readonly conversionId: number;
  readonly kind: AdjustmentKind;
  /** The new total. */
  readonly amount: string;
  readonly externalReference: string | null;
  readonly occurredAt: Date;
}

/** Of the conversions in $2. One has at most 100. */
const readAdjustmentRows = statement<AdjustmentRow>(
  `select a.id, a.conversion_id as "conversionId", a.kind, a.amount,
          coalesce(a.external_reference, a.test_reference) as "externalReference", a.occurred_at as "occurredAt"
   from conversion_adjustment a where a.conversion_id = any($2::bigint[]) and a.account_id = $1
   order by a.id`,
);

interface SubjectRow {
  readonly id: number;
  readonly clientId: number | null;
  readonly conversionId: number | null;
  readonly adjustmentId: number | null;
}

const deliveriesOfSubject = (subject: string, ids: string) => `
  select f.id, f.client_id as "clientId", f.conversion_id as "conversionId", f.adjustment_id as "adjustmentId"
  from delivery f where f.${subject} = any(${ids}::bigint[]) and f.account_id = $1`;

/** The deliveries of the clients $2, conversions $3 and adjustments $4, at most $5. */
const readSubjects = statement<SubjectRow>(
  `${deliveriesOfSubject('client_id', '$2')} union all ${deliveriesOfSubject('conversion_id', '$3')}
   union all ${deliveriesOfSubject('adjustment_id', '$4')} order by id limit $5`,
);

const clientsMax = 10;
const conversionsMax = 20;
const deliveriesMax = 1_000;

type Delivered = { readonly deliveries: readonly ListedDelivery[] };
type StoryAdjustment = AdjustmentRow & Delivered;
/** `adjustments`: oldest first. */
type StoryConversion = ConversionRow & Delivered & { readonly adjustments: readonly StoryAdjustment[] };
type StoryClient = ClientRow &
  Delivered & {
    /** Oldest first. */
    readonly conversions: readonly StoryConversion[];
    /** Whether there are older ones. */
    readonly hasMoreConversions: boolean;
  };

/** A click, its clients, and all that was told to platforms. */
export interface Story {
  readonly lead: Omit<LeadRow, 'clientId'>;
  /** Newest first. */
  readonly clients: readonly StoryClient[];
  /** How many more clients the lead has, up to 1,000. */
  readonly otherClients: number;
}

/** One of these. A client is told with its lead, and a conversion with its client. */
interface StoryName {
  readonly lead?: number | undefined;
  readonly client?: number | undefined;
  readonly conversion?: number | undefined;
}

const readLeadOf = async (
  on: Queryable,
  contacts: ContactCipher,
  accountId: number,
  { lead, client, conversion }: StoryName,
): Promise<LeadRow | undefined> => {
  const [found] = await readLead(on, [accountId, lead ?? null, client ?? null, conversion ?? null]);
  if (!found) return undefined;
  const { contact: _, dataKey: __, ...row } = found;
  const ofLead = { accountId, leadReference: row.reference };
  const { phoneNumber: phone, ...others } = leadContact(found, ofLead, contacts);
  return { ...row, ...others, phone };
};

const readClientsOf = async (
  on: Queryable,
  contacts: ContactCipher,
  accountId: number,
  { id, clientId }: LeadRow,
): Promise<ClientRow[]> => {
  const clients = await readClients(on, [accountId, id, clientId, clientsMax]);
  const clicks = await readClicks(
    on,
    accountId,
    clients.map((client) => client.id),
  );
  return clients.map((client) => {
    const { contact: _, dataKey: _key, contactOwner: leadReference, ...row } = client;
    const contact = clientContact(client, { accountId, leadReference }, contacts);
    return { ...row, ...contact, clicks: clicks.get(client.id) ?? [] };
  });
};

const readRows = async (on: Queryable, contacts: ContactCipher, accountId: number, name: StoryName) => {
  const found = await readLeadOf(on, contacts, accountId, name);
  if (!found) return undefined;
  const { clientId: _, ...lead } = found;
  const clients = await readClientsOf(on, contacts, accountId, found);
  const clientIds = clients.map(({ id }) => id);
  // one more tells whether there are more
  const conversions = await readConversions(on, [accountId, clientIds, conversionsMax + 1, name.conversion ?? null]);
  const conversionIds = conversions.map(({ id }) => id);
  const adjustments = await readAdjustmentRows(on, [accountId, conversionIds]);
  const adjustmentIds = adjustments.map(({ id }) => id);
  const subjects = await readSubjects(on, [accountId, clientIds, conversionIds, adjustmentIds, deliveriesMax]);
  return { lead, clients, conversions, adjustments, subjects };
};

type DeliveriesOf = (isOf: (subject: SubjectRow) => boolean) => ListedDelivery[];

const conversionOf = (
  conversion: ConversionRow,
  adjustments: readonly AdjustmentRow[],
  deliveriesOf: DeliveriesOf,
): StoryConversion => ({
  ...conversion,
  deliveries: deliveriesOf(({ conversionId }) => conversionId === conversion.id),
  adjustments: adjustments
    .filter(({ conversionId }) => conversionId === conversion.id)
    .map((adjustment) => ({
      ...adjustment,
      deliveries: deliveriesOf(({ adjustmentId }) => adjustmentId === adjustment.id),
    })),
});

/** Undefined if the account has no such lead, client or conversion. */
export const readStory = async (
  on: Queryable,
  contacts: ContactCipher,
  scope: AccountScope,
  name: StoryName,
): Promise<Story | undefined> => {
  const rows = await readRows(on, contacts, scope.accountId, name);
  if (!rows) return undefined;
  const { lead, clients, conversions, adjustments, subjects } = rows;
  const listed = await readListedDeliveries(
    on,
    scope,
    subjects.map(({ id }) => id),
  );
  const byId = new Map(listed.map((delivery) => [delivery.id, delivery]));
  const deliveriesOf: DeliveriesOf = (isOf) => subjects.filter(isOf).flatMap(({ id }) => byId.get(id) ?? []);
  const told = clients.map((client) => {
    const its = conversions.filter(({ clientId }) => clientId === client.id);
    const shown = its.filter(({ id }, at) => at >= its.length - conversionsMax || id === name.conversion);
    return {
      ...client,
      deliveries: deliveriesOf(({ clientId }) => clientId === client.id),
      conversions: shown.map((one) => conversionOf(one, adjustments, deliveriesOf)),
      hasMoreConversions: shown.length < its.length,
    };
  });
  return { lead, clients: told, otherClients: (clients[0]?.ofLead ?? 0) - clients.length };
};
