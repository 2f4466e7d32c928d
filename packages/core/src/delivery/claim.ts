import {
  type AttributedAdjustment,
  type AttributedConversion,
  type ClickTimes,
  type DeliverableEvent,
  type DeliveryState,
  type DestinationName,
  type WebhookEventType,
  type Contact,
  webhookEventId,
  type WebhookMessage,
  type Attributed,
  type AttributedLead,
  type ClickIdName,
  clickIdNames,
  contactToShare,
  leadEventId,
  type Sharing,
} from '@leadback/domain';
import { type ContactCipher, failureScopeOf, type Pool, preparedStatement, statement } from '@leadback/db';
import { contactOfClient, contactOfLead } from '@leadback/domain/keys';
import { batch } from '@leadback/db/batch';
import { consentColumns, type ConsentRow, lastWord, msOf, sharingOfRow } from '../leads/consent.ts';
import { closedDeliveries, sentToWebhooks } from './webhook-deliveries.ts';

/**
 * How long a worker may hold a claimed parcel, a PostgreSQL interval: one request before its own, and its own, each
 * including its bisecting. No other worker takes the parcel meanwhile.
 */
export const claimLease = '120 seconds';

/** Until when after its claim a worker may begin to send a parcel: the longest request ends before the lease does. */
export const sendableForMs = 75_000;

/** A parcel that has lost more leases than this is split, and each of its deliveries is claimed alone. */
export const leasesLostTogetherMax = 2;

/** A delivery that has lost so many leases has failed. */
const leasesLostMax = 5;

/** What a connection had before its settings or event names were changed, as it was stored. */
export interface FormerSettings {
  readonly settings: unknown;
  readonly eventNames: unknown;
}

/** What is known at the claim of an adjustment of the other deliveries of its conversion to the same connection. */
interface OtherDeliveries {
  /** The state of the conversion itself; null if retention has deleted it. */
  readonly original: DeliveryState | null;
  /** Whether the platform has yet to report the status of a request with the conversion. */
  readonly isOriginalUnconfirmed: boolean;
  /** Whether the platform reported that it used the conversion; null: nothing is known. */
  readonly isOriginalConfirmed: boolean | null;
  /** With which the conversion was delivered; null: those of the claimed version. */
  readonly formerSettings: FormerSettings | null;
  /** Whether an earlier adjustment is pending. */
  readonly isAdjustmentOpen: boolean;
  /** Whether a later adjustment is pending or was delivered. */
  readonly isSuperseded: boolean;
}

interface Claimed {
  readonly deliveryId: number;
  /** How often it was sent before, not counting throttled attempts. */
  readonly attempts: number;
  /** How often the platform throttled it before. */
  readonly throttled: number;
  /** When its event was registered, in milliseconds since 1970. */
  readonly createdAtMs: number;
  /** Why its contact data cannot be decrypted, by this process alone: it must not be sent without. */
  readonly unreadable?: unknown;
  /** W3C `traceparent` of the lead, if it is traced. */
  readonly traceParent: string | undefined;
}

export interface ClaimedAdjustmentDelivery extends Claimed {
  readonly event: AttributedAdjustment;
  readonly others: OtherDeliveries;
}

interface ClaimedOtherDelivery extends Claimed {
  readonly event: Exclude<DeliverableEvent, AttributedAdjustment>;
  readonly others: undefined;
}

/** A claimed delivery, with all that is needed to send it. */
export type ClaimedDelivery = ClaimedAdjustmentDelivery | ClaimedOtherDelivery;

/** A claimed parcel. Only the worker that made this claim may settle it, and only until another claim. */
export interface ClaimedParcel {
  readonly id: number;
  /** The fencing token: how often the parcel was claimed. */
  readonly claim: number;
  readonly connection: {
    readonly id: number;
    readonly accountId: number;
    readonly platform: DestinationName;
    readonly version: number;
  };
  /** What is registered with a test key is a test. */
  readonly mode: 'live' | 'test';
  /** PostgreSQL's clock at the claim, in milliseconds since 1970: whatever ends a delivery is judged by it. */
  readonly claimedAtMs: number;
  /** Those that are still open. Their sender takes them out. */
  readonly deliveries: ClaimedDelivery[];
}

/** The adjustment of a delivery, as JSON. */
interface ClaimedAdjustment extends OtherDeliveries, Omit<AttributedAdjustment, 'occurredAt' | 'conversion'> {
  /** ISO 8601. */
  readonly occurredAt: string;
}

/** Columns in `_ms` are milliseconds since 1970. One row per delivery; a parcel whose deliveries are all closed has one row without a delivery. */
export interface ClaimedRow extends ConsentRow {
  parcel_id: number;
  claim: number;
  is_test: boolean;
  connection_id: number;
  account_id: number;
  platform: DestinationName;
  version: number;
  country: string;
  data_key: Buffer | null;
  claimed_ms: number;
  delivery_id: number | null;
  attempts: number;
  throttled: number;
  delivery_ms: number;
  installation_id: string;
  occurred_ms: number;
  client_id: number;
  client_reference: string | null;
  /** Encrypted; null: nothing is known. Of the lead as well. */
  client_contact: Buffer | null;
  /** Of the lead with which the client was registered. Below: of the lead that counts for the sale. */
  client_lead_reference: string;
  lead_id: number;
  lead_contact: Buffer | null;
  lead_reference: string;
  click_parameters: AttributedConversion['lead']['clickParameters'];
  user_agent: string | null;
  accept_language: string | null;
  referrer: string | null;
  landing_url: string | null;
  lead_ms: number;
  click_times: ClickTimes | null;
  trace_parent: string | null;
  /** This and all below: of a conversion or its adjustment, else null. */
  conversion_id: number | null;
  event_id: string | null;
  event_name: string | null;
  conversion_reference: string | null;
  amount: string | null;
  currency: AttributedConversion['currency'] | null;
  /** Whether it is the first sale of the client; null: nobody decided. */
  is_first_sale: boolean | null;
  net_amount: string | null;
  items: AttributedConversion['items'] | null;
  /** Null: it reports something else. */
  adjustment: ClaimedAdjustment | null;
  /** This and all below: of a webhook event, else null. With it, all about clients and leads is null. */
  webhook_event_id: number | null;
  webhook_type: WebhookEventType | null;
  webhook_data: Record<string, unknown> | null;
  webhook_ms: number | null;
}

/** What is known of the person of a delivery. */
interface RowContacts {
  readonly client: Contact;
  /** What the visitor entered. */
  readonly lead: Contact;
  readonly ipAddress: string | null;
  /** Why contact data could not be decrypted, though the account has its key: this process lacks a key. */
  readonly failure?: unknown;
}

const contactClientOf = (row: ClaimedRow, contacts: ContactCipher): Contact => {
  const { account_id: accountId, data_key: dataKey, client_contact: contact, client_lead_reference: reference } = row;
  const owner = contactOfClient(accountId, reference);
  const { name = null, email = null, phone = null } = contacts.decrypt({ accountId, owner, dataKey, contact });
  return { name, email, phoneNumber: phone };
};

const contactLeadOf = (row: ClaimedRow, contacts: ContactCipher): Pick<RowContacts, 'lead' | 'ipAddress'> => {
  const { account_id: accountId, data_key: dataKey, lead_contact: contact, lead_reference: reference } = row;
  const owner = contactOfLead(accountId, reference);
  const found = contacts.decrypt({ accountId, owner, dataKey, contact });
  const { name = null, email = null, phone = null, ipAddress = null } = found;
  return { lead: { name, email, phoneNumber: phone }, ipAddress };
};

const nobody: Contact = { name: null, email: null, phoneNumber: null };

/** Null is what cannot be decrypted any more. Never throws: one row must not fail those that were claimed with it. */
const contactsOfRow = (row: ClaimedRow, contacts: ContactCipher): RowContacts => {
  try {
    return { client: contactClientOf(row, contacts), ...contactLeadOf(row, contacts) };
  } catch (failure) {
    return { client: nobody, lead: nobody, ipAddress: null, failure };
  }
};

/** SQL: the webhook event of a delivery f; no row if the delivery has another subject. */
const webhookEventOf = `(
       select * from webhook_event where id = f.webhook_event_id and account_id + 0 = f.account_id limit 1)`;

/** SQL: the columns of a `ClaimedRow` about a webhook event w. */
const webhookColumns = `w.id as webhook_event_id, w.type as webhook_type, w.data as webhook_data,
            ${msOf('w.created_at')} as webhook_ms`;

/** Undefined if the delivery has another subject. */
const webhookMessageOf = (row: ClaimedRow): WebhookMessage | undefined => {
  const { webhook_event_id: id, webhook_type: type, webhook_data: data, webhook_ms: ms } = row;
  if (id === null || type === null || data === null || ms === null) return undefined;
  return { kind: 'webhook', eventId: webhookEventId(row.installation_id, id), type, occurredAt: new Date(ms), data };
};

const clickTimesOf = ({ click_times: times }: ClaimedRow) => {
  const dates: Partial<Record<ClickIdName, Date>> = {};
  for (const name of clickIdNames) {
    const time = times?.[name];
    if (time !== undefined) dates[name] = new Date(time);
  }
  return dates;
};

const clientOf = (row: ClaimedRow, { client, lead }: RowContacts, sharing: Sharing): Attributed['client'] => ({
  id: row.client_id,
  externalReference: row.client_reference,
  ...contactToShare(client, lead, sharing),
});

const attributedOf = (row: ClaimedRow, ofRow: RowContacts): Omit<Attributed, 'eventId'> => {
  const sharing = sharingOfRow(row, row.delivery_ms);
  return {
    occurredAt: new Date(row.occurred_ms),
    accountCountry: row.country,
    installationId: row.installation_id,
    client: clientOf(row, ofRow, sharing),
    lead: {
      clickParameters: row.click_parameters,
      clickTimes: clickTimesOf(row),
      ipAddress: ofRow.ipAddress,
      userAgent: row.user_agent,
      acceptLanguage: row.accept_language,
      referrer: row.referrer,
      landingUrl: row.landing_url,
      sharing,
      createdAt: new Date(row.lead_ms),
    },
  };
};

/** Undefined if the event is the registration of a client. */
const conversionOf = (row: ClaimedRow, ofRow: RowContacts): AttributedConversion | undefined => {
  const { conversion_id: id, event_id: eventId, amount, currency } = row;
  if (id === null || eventId === null || amount === null || currency === null) return undefined;
  const { conversion_reference: externalReference, event_name: eventName, is_first_sale: isNewCustomer } = row;
  return {
    kind: 'conversion',
    id,
    eventId,
    externalReference,
    amount,
    currency,
    eventName,
    isNewCustomer,
    netAmount: row.net_amount,
    items: row.items ?? [],
    ...attributedOf(row, ofRow),
  };
};

const leadOf = (row: ClaimedRow, ofRow: RowContacts): AttributedLead => ({
  kind: 'lead',
  eventId: leadEventId(row.installation_id, row.client_id, row.is_test),
  ...attributedOf(row, ofRow),
});

const deliveryOf = (row: ClaimedRow, deliveryId: number, ofRow: RowContacts): ClaimedDelivery => {
  const conversion = conversionOf(row, ofRow);
  const delivery = {
    deliveryId,
    attempts: row.attempts,
    throttled: row.throttled,
    createdAtMs: row.delivery_ms,
    traceParent: row.trace_parent ?? undefined,
    unreadable: ofRow.failure,
  };
  if (conversion === undefined || row.adjustment === null) {
    return { ...delivery, event: webhookMessageOf(row) ?? conversion ?? leadOf(row, ofRow), others: undefined };
  }
  const { id, kind, amount, takenBack, occurredAt, ...others } = row.adjustment;
  const adjustment = { kind, id, amount, takenBack, occurredAt: new Date(occurredAt), conversion };
  return { ...delivery, event: adjustment, others };
};

/** Decrypts the contact data of each click of a client once: a sale is claimed for several platforms, often at the same time. */
const contactsByClient = (contacts: ContactCipher): ((row: ClaimedRow) => RowContacts) => {
  const known = new Map<string, RowContacts>();
  return (row) => {
    const name = `${row.client_id} ${row.lead_id}`;
    const found = known.get(name) ?? contactsOfRow(row, contacts);
    known.set(name, found);
    return found;
  };
};

/** Collects the rows of a claim, which are in the order of their parcels. */
export const claimedParcels = (rows: readonly ClaimedRow[], contacts: ContactCipher): ClaimedParcel[] => {
  const parcels: ClaimedParcel[] = [];
  const contactsOf = contactsByClient(contacts);
  let deliveries: ClaimedDelivery[] = [];
  for (const row of rows) {
    if (parcels.at(-1)?.id !== row.parcel_id) {
      deliveries = [];
      parcels.push({
        id: row.parcel_id,
        claim: row.claim,
        connection: {
          id: row.connection_id,
          accountId: row.account_id,
          platform: row.platform,
          version: row.version,
        },
        mode: row.is_test ? 'test' : 'live',
        claimedAtMs: row.claimed_ms,
        deliveries,
      });
    }
    if (row.delivery_id !== null) deliveries.push(deliveryOf(row, row.delivery_id, contactsOf(row)));
  }
  return parcels;
};

/** SQL: the conversion of a delivery f. The adjustment is looked up only if the delivery is of one. */
const conversionIdOf = `coalesce(f.conversion_id, (
         select conversion_id from conversion_adjustment where id = f.adjustment_id and account_id + 0 = f.account_id))`;

// Conditions that are those of a partial index stand outside of the lookups: else PostgreSQL may read that index instead.
// A delivery of another adjustment of the same conversion to the same connection. At most 101 adjustments are read, by
// their conversion: `id + 0` keeps the range of ids out of the plan, which holds adjustments of all conversions.
const existsOther = (which: string, states: string) => `exists (
           select from (select id, account_id from conversion_adjustment
                        where conversion_id = a.conversion_id and id + 0 ${which} a.id offset 0) other
           cross join lateral (
             select from delivery
             where adjustment_id = other.id and connection_id = f.connection_id and account_id + 0 = other.account_id
               and state in (${states}) limit 1) its)`;

/**
 * SQL: the adjustment that a delivery f of a conversion v reports, as one JSON value `adjustment` (`ClaimedAdjustment`),
 * with what was told to the same connection before. No row, and nearly no time, if the delivery has another subject: the
 * claim of a conversion must not become slower.
 */
const adjustmentOf = `(
       select json_build_object(
         'id', a.id, 'kind', a.kind, 'amount', a.amount::text, 'occurredAt', a.occurred_at,
         'takenBack', greatest(0, least(v.amount, (
           select min(amount) from conversion_adjustment
           where conversion_id = a.conversion_id and id + 0 < a.id and account_id + 0 = a.account_id)) - a.amount)::text,
         'original', original.state,
         'isOriginalUnconfirmed', coalesce(request.is_open, false),
         'isOriginalConfirmed', original.is_confirmed,
         'formerSettings', former.stored,
         'isAdjustmentOpen', ${existsOther('<', "'pending'")},
         'isSuperseded', ${existsOther('>', "'pending', 'delivered'")}
       ) as adjustment
       from (select * from conversion_adjustment where id = f.adjustment_id and account_id + 0 = f.account_id limit 1) a
       left join lateral (
         select id, account_id, connection_id, state, sent_version, is_confirmed from delivery
         where conversion_id = a.conversion_id and connection_id = f.connection_id and account_id + 0 = f.account_id
         limit 1) original on true
       left join lateral (
         select bool_or(asked.check_at is not null) as is_open
         from (select platform_request from delivery_attempt
               where delivery_id = original.id and account_id + 0 = original.account_id offset 0) sent
         left join lateral (
           select check_at from platform_request
           where connection_id = original.connection_id and name = sent.platform_request
             and account_id + 0 = original.account_id limit 1) asked on true
         where sent.platform_request is not null) request on true
       left join lateral (
         select json_build_object('settings', settings, 'eventNames', event_names) as stored
         from connection_settings_change
         where connection_id = original.connection_id and version >= original.sent_version
           and account_id + 0 = original.account_id
         order by version limit 1) former on true
       where f.adjustment_id is not null)`;

/**
 * SQL: a `ClaimedRow` for each delivery. `parcels`: a table with (id, claim, is_test, connection_id, account_id).
 * `deliveries`: a `from` clause with the deliveries f of a parcel p.
 */
export const claimedRowsOf = (parcels: string, deliveries: string): string => `
   select p.id as parcel_id, p.claim, p.is_test, p.connection_id, p.account_id, connection.platform, connection.version,
          account.country, account.gpc_reading, account.data_key, ${msOf('now()')} as claimed_ms,
          (select id from installation) as installation_id, facts.*
   from ${parcels} p
   cross join lateral (
     select platform, version from platform_connection where id = p.connection_id and account_id + 0 = p.account_id limit 1
   ) connection
   cross join lateral (select country, gpc_reading, data_key from account where id = p.account_id limit 1) account
   left join lateral (
     select f.id as delivery_id, f.attempts, f.throttled, ${msOf('f.created_at')} as delivery_ms,
            v.id as conversion_id, v.event_id, v.event_name,
            coalesce(v.external_reference, v.test_reference) as conversion_reference, v.amount, v.currency, v.net_amount, v.items,
            (select coalesce(conversion_id = v.id, false) from first_sale where client_id = v.client_id limit 1) as is_first_sale,
            ${msOf('coalesce(v.occurred_at, v.created_at, c.created_at)')} as occurred_ms, c.id as client_id,
            coalesce(c.external_reference, c.test_reference) as client_reference, c.contact as client_contact,
            case when l.id = c.lead_id then l.reference else (
              select reference from lead where id = c.lead_id and account_id + 0 = p.account_id) end as client_lead_reference,
            l.id as lead_id, l.contact as lead_contact, l.reference as lead_reference,
            l.click_parameters, l.click_times, l.user_agent, l.accept_language, l.referrer,
            l.landing_url, ${msOf('l.created_at')} as lead_ms, l.trace_parent,
            ${consentColumns},
            adjusted.adjustment, ${webhookColumns}
     ${deliveries}
     left join lateral (
       select * from conversion where id = ${conversionIdOf} and account_id + 0 = p.account_id limit 1) v on true
     left join lateral (
       select * from client
       where id = coalesce(v.client_id, f.client_id) and account_id + 0 = p.account_id limit 1) c on true
     left join lateral (
       select * from lead where id = coalesce(f.lead_id, v.lead_id, c.lead_id) and account_id + 0 = p.account_id limit 1) l on true
     left join lateral (${lastWord({ id: 'c.id', leadId: 'c.lead_id', accountId: 'p.account_id' })}) word on true
     left join lateral ${adjustmentOf} adjusted on true
     left join lateral ${webhookEventOf} w on true
     where l.id is not null or w.id is not null
   ) facts on true
   order by p.id`;

/**
 * Transitions 2 and 3, after an expression named `wanted` (id) that has locked due parcels of active connections. A
 * claimed parcel whose lease is over was lost by a worker that crashed. Plan: every table by key, one row at a time; see
 * `preparedStatement`.
 */
const claimOfWanted = (wanted: string): string => `with wanted as materialized (${wanted}), claimed as (
     update delivery_due d set
       claims_lost = d.claims_lost + case d.phase when 'claimed' then 1 else 0 end,
       phase = 'claimed', claim = d.claim + 1, not_before = now() + $1::interval
     where d.id = any(array(select id from wanted))
     returning d.*
   )
   ${claimedRowsOf(
     'claimed',
     `from unnest(p.delivery_ids) open (id)
     cross join lateral (
       select * from delivery
       where id = open.id and account_id + 0 = p.account_id and parcel_id = p.id and state = 'pending' limit 1) f`,
   )}`;

/** SQL: whether the connection of the parcel d is active, and the URL of a webhook verified. No join, which could begin with the connections. */
const isActive = `(
         select c.state = 'active' and c.verify_at is null from platform_connection c
         where c.id = d.connection_id and c.account_id + 0 = d.account_id limit 1)`;

/**
 * SQL: whether the parcel d, which is looked up by its id, is due. No condition for the index of times: right after most
 * parcels were claimed, PostgreSQL expects few that are due, and would read all deleted rows that a long snapshot keeps.
 */
const isDue = `d.not_before + interval '0' <= now()`;

const claimByIds = preparedStatement<ClaimedRow>(
  'claim-parcels',
  claimOfWanted(`
     select d.id from unnest($2::bigint[]) named (id)
     cross join lateral (
       select id from delivery_due d
       where d.id = named.id and ${isDue} and d.claims_lost < ${leasesLostTogetherMax} and ${isActive}
       for update of d skip locked
     ) d`),
);

/**
 * Holds the hints that wait to share a statement. Returns a function that claims one parcel, named by a hint. Null: it is settled, not due, held, or claimed by
 * another worker.
 */
export const parcelClaimer = (
  pool: Pool,
  contacts: ContactCipher,
): ((parcelId: number) => Promise<ClaimedParcel | null>) =>
  batch(
    async (parcelIds: readonly number[]) => {
      const claimed = new Map(
        claimedParcels(await claimByIds(pool, [claimLease, parcelIds]), contacts).map((parcel) => [parcel.id, parcel]),
      );
      return parcelIds.map((id) => {
        const parcel = claimed.get(id);
        claimed.delete(id); // a second hint in the same batch finds nothing, as it would later
        return parcel ?? null;
      });
    },
    // a statement costs as much as some twenty deliveries, so that parcels wait for the one in progress, though not long
    { itemsMax: 50, runsMax: 2, besideMs: 20, failureScope: failureScopeOf },
  );

// The oldest parcels first, as many as hold the wanted number of deliveries; the last one may hold some more.
const claimOfConnections = preparedStatement<ClaimedRow>(
  'claim-parcels-of-connections',
  claimOfWanted(`
     select d.id
     from unnest($2::bigint[], $3::int[], $4::timestamptz[]) wanted (connection_id, deliveries, due_since)
     cross join lateral (
       select oldest.id
       from (
         select d.id, sum(cardinality(d.delivery_ids)) over (order by d.not_before, d.id) - cardinality(d.delivery_ids)
                as before
         from (
           select id, not_before, delivery_ids from delivery_due d
           where d.connection_id = wanted.connection_id and d.not_before >= wanted.due_since and d.not_before <= now()
             and d.claims_lost < ${leasesLostTogetherMax} and ${isActive}
           order by d.not_before limit wanted.deliveries
         ) d
       ) oldest where oldest.before < wanted.deliveries
     ) oldest
     cross join lateral (
       select id from delivery_due d
       where d.id = oldest.id and ${isDue}
       for update of d skip locked
     ) d`),
);

interface WantedOfConnection {
  readonly connectionId: number;
  /** The number of deliveries. */
  readonly deliveries: number;
  /** No parcel of the connection is due since before. Saves reading deleted rows that a long snapshot keeps. */
  readonly dueSince: Date | '-infinity';
}

/** Claims due parcels of connections, for at most so many deliveries and one parcel more of each. */
export const claimParcelsOfConnections = async (
  pool: Pool,
  wanted: readonly WantedOfConnection[],
  contacts: ContactCipher,
): Promise<ClaimedParcel[]> =>
  claimedParcels(
    await claimOfConnections(pool, [
      claimLease,
      wanted.map(({ connectionId }) => connectionId),
      wanted.map(({ deliveries }) => deliveries),
      wanted.map(({ dueSince }) => dueSince),
    ]),
    contacts,
  );

// at the last claim of all its deliveries together a lease was lost, which is not counted yet
const leasesLostTogether = leasesLostTogetherMax + 1;

const isSuspect = `d.claims_lost >= ${leasesLostTogetherMax} and d.not_before <= now()`;

const splitSuspects = statement<{ deliveries: number }>(
  `with suspect as (
     select d.id from delivery_due d where ${isSuspect} and cardinality(d.delivery_ids) > 1
     order by d.not_before limit 10 for update of d skip locked
   ), gone as (
     delete from delivery_due where id = any(array(select id from suspect)) returning *
   ), alone as (
     select gone.*, u.id as delivery_id, nextval('delivery_due_id_seq') as parcel_id
     from gone cross join unnest(gone.delivery_ids) u (id)
   ), due as (
     insert into delivery_due (id, account_id, connection_id, is_test, delivery_ids, claim, claims_lost, retry_from,
                               oldest_at)
     select parcel_id, account_id, connection_id, is_test, array[delivery_id], claim, ${leasesLostTogether}, retry_from,
            oldest_at
     from alone
   ), moved as (
     update delivery f set parcel_id = alone.parcel_id from alone
     where f.id = any(array(select delivery_id from alone)) and f.id = alone.delivery_id and f.parcel_id = alone.id
       and f.state = 'pending'
   )
   select count(*) as deliveries from alone`,
);

/** Transition 9. Puts each delivery of a parcel that crashed workers into a parcel of its own. Returns how many deliveries. */
export const splitSuspectParcels = async (pool: Pool): Promise<number> => {
  const [row] = await splitSuspects(pool, []);
  return row?.deliveries ?? 0;
};

interface CrashedDelivery {
  readonly deliveryId: number;
  readonly platform: DestinationName;
}

const failCrashed = statement<{ delivery_id: number; platform: DestinationName }>(
  `with crashed as (
     select d.id from delivery_due d
     where ${isSuspect} and d.phase = 'claimed' and d.claims_lost + 1 >= ${leasesLostMax}
       and cardinality(d.delivery_ids) <= 1
     limit 100 for update of d skip locked
   ), gone as (
     delete from delivery_due where id = any(array(select id from crashed)) returning *
   ), failed as (
     update delivery f set state = 'failed', reason = 'crashed', closed_at = now(), parcel_id = null
     from gone
     where f.id = any(array(select delivery_ids[1] from gone)) and f.id = gone.delivery_ids[1]
       and f.parcel_id = gone.id and f.state = 'pending'
     returning f.id, f.account_id, f.connection_id, f.state, f.reason, f.is_test, f.conversion_id, f.client_id,
               f.adjustment_id, f.webhook_event_id
   ), ${sentToWebhooks('select account_id from failed', closedDeliveries('failed'))}
   select failed.id as delivery_id, c.platform from failed join platform_connection c on c.id = failed.connection_id`,
);

/** Transition 10. Fails the deliveries during which five workers crashed. */
export const failCrashedDeliveries = async (pool: Pool): Promise<CrashedDelivery[]> =>
  (await failCrashed(pool, [])).map(({ delivery_id: deliveryId, platform }) => ({ deliveryId, platform }));

const claimSuspect = preparedStatement<ClaimedRow>(
  'claim-suspect-parcel',
  claimOfWanted(`
     select free.id
     from (select d.id from delivery_due d where ${isSuspect} and cardinality(d.delivery_ids) <= 1
           order by d.not_before offset 0) suspect
     cross join lateral (
       select d.id from delivery_due d where d.id = suspect.id and ${isSuspect} and ${isActive}
       limit 1 for update of d skip locked
     ) free
     limit 1`),
);

/** Claims the delivery of one parcel that crashed workers. It must be sent alone, before the next is claimed. */
export const claimSuspectParcel = async (pool: Pool, contacts: ContactCipher): Promise<ClaimedParcel | undefined> =>
  claimedParcels(await claimSuspect(pool, [claimLease]), contacts)[0];
