import { type ContactCipher, preparedStatement, type Queryable } from '@leadback/db';
import { insertClients, type InsertedClient, refusedClientSchema } from '../clients/register.ts';
import { saysAnything, tellConsents } from '../leads/consent.ts';
import { byReference, ofInput } from '../registering.ts';
import { tryAgain, type Tried } from '../once.ts';
import { withFirsts } from './compare.ts';
import {
  clientsByEmail,
  emailHashesOf,
  eventIdOf,
  type Inserted,
  type InsertedConversion,
  insertOfKnown,
  isInRange,
  type NewConversion,
  searchedOf,
  someWarnings,
} from './insert.ts';

/**
 * Registers the buyers of conversions, or their new clicks. Returns one result per conversion, in order: null for one without a buyer.
 */
const insertBuyers = async (on: Queryable, conversions: readonly NewConversion[], contacts: ContactCipher) => {
  const buyers = conversions.flatMap(({ buyer }) => buyer ?? []);
  const { inserted, parcels } = await insertClients(on, buyers, contacts);
  const results = [...inserted];
  return { clients: conversions.map(({ buyer }) => (buyer === undefined ? null : (results.shift() ?? null))), parcels };
};

/** A new conversion with what there is to say of its buyer. Whether the lead was ignored, the conversion says itself. */
const withBuyer = (
  result: Tried<InsertedConversion>,
  buyer: Tried<InsertedClient> | null | undefined,
): Tried<InsertedConversion> => {
  if (result === tryAgain || result.kind !== 'created') return result;
  if (!buyer || buyer === tryAgain || (buyer.kind !== 'created' && buyer.kind !== 'known')) return result;
  const ofBuyer = (buyer.warnings ?? []).filter(({ code }) => code !== 'lead-ignored');
  return { ...result, ...someWarnings([...(result.warnings ?? []), ...ofBuyer]) };
};

const sameReference = byReference({
  table: 'conversion',
  as: 'v',
  columns: 'v.id',
  ...ofInput,
  reference: 'i.external_reference',
});

interface Checked {
  readonly isAcceptable: boolean;
  /** Another sale has the reference or the event id. */
  readonly isTaken: boolean;
  /** As it is stored, if the partner chose one. */
  readonly eventId: string | null;
}

// Plan: each account by its key, and of each reference and event id one entry of an index; see `preparedStatement`.
const checkSales = preparedStatement<Checked>(
  'check-conversions',
  `select i.currency = any(account.currencies) and ${isInRange} as "isAcceptable", its.event_id as "eventId",
          coalesce((select true from (${sameReference}) v limit 1), exists (
            select from conversion where account_id = i.account_id and event_id = its.event_id)) as "isTaken"
   from rows from (json_to_recordset($1) as (
     "accountId" bigint, "isTest" boolean, currency text, "occurredAt" timestamptz, "externalReference" text, "eventId" text))
     with ordinality as i (account_id, is_test, currency, occurred_at, external_reference, wanted_event_id, place)
   cross join lateral (select event_id_prefix as prefix, currencies from account where id = i.account_id limit 1) account
   cross join lateral (select ${eventIdOf('i.wanted_event_id', 'i.is_test')} as event_id) its
   order by i.place`,
);

// The lead is locked against retention, as where a client is registered. Plan: each client and lead by one entry of an index.
const addClicks = preparedStatement(
  'add-clicks-by-email',
  `insert into client_lead (client_id, lead_id, account_id)
   select client.id, l.id, i.account_id
   from rows from (json_to_recordset($1) as ("accountId" bigint, "isTest" boolean, "emailHash" text, "leadReference" text))
     as i (account_id, is_test, email_hash, lead_reference)
   cross join lateral (
     select id, lead_id from (${clientsByEmail}) e limit 1) client
   cross join lateral (
     select id from lead
     where reference = i.lead_reference and account_id = i.account_id and id <> client.lead_id and (i.is_test or not is_test)
     limit 1 for key share) l
   order by 1, 2
   on conflict do nothing`,
);

/** The new clicks of buyers who are named by an email alone, and whom an email names already. */
const addClicksByEmail = async (
  on: Queryable,
  conversions: readonly NewConversion[],
  contacts: ContactCipher,
): Promise<void> => {
  const hashes = await emailHashesOf(on, conversions, contacts);
  const clicks = conversions.flatMap(({ accountId, isTest, clientExternalReference, buyer }, index) => {
    const emailHash = hashes[index];
    return buyer === undefined || clientExternalReference !== undefined || emailHash === undefined
      ? []
      : { accountId, isTest, emailHash, leadReference: buyer.leadReference };
  });
  if (clicks.length > 0) await addClicks(on, [JSON.stringify(clicks)]);
};

const isUnknown = (result: Tried<InsertedConversion> | undefined): boolean =>
  result !== undefined && result !== tryAgain && result.kind === 'client-unknown';

const insertWithBuyers = async (
  on: Queryable,
  wanted: readonly NewConversion[],
  contacts: ContactCipher,
): Promise<Inserted> => {
  if (wanted.every(({ buyer }) => buyer === undefined)) return insertOfKnown(on, wanted, contacts);
  const searched = wanted.map((one) => searchedOf(one, undefined));
  const checked = await checkSales(on, [JSON.stringify(searched)]);
  // of a sale that is refused, nothing is registered
  const conversions = wanted.map((one, index) =>
    checked[index]?.isAcceptable === true && !checked[index].isTaken ? one : { ...one, buyer: undefined },
  );
  const named = conversions.map((one) =>
    one.clientExternalReference === undefined ? { ...one, buyer: undefined } : one,
  );
  const before = await insertBuyers(on, named, contacts);
  await addClicksByEmail(on, conversions, contacts);
  const { inserted: known, parcels: ofKnown } = await insertOfKnown(on, conversions, contacts);
  // nobody is known who buys what another sale is already: what the other one has otherwise is said, and not that
  const found = known.map((result, index) => {
    const { isTaken = false, eventId = null } = checked[index] ?? {};
    return isTaken && isUnknown(result) ? ({ kind: 'taken', eventId } as const) : result;
  });
  const first = { inserted: await withFirsts(on, searched, found), parcels: ofKnown };
  const parcels = [...before.parcels, ...first.parcels];

  const lacking = conversions.flatMap((one, index) =>
    isUnknown(first.inserted[index]) && one.buyer !== undefined ? [{ ...one, index }] : [],
  );
  const inserted = first.inserted.map((result, index) => withBuyer(result, before.clients[index]));
  if (lacking.length === 0) return { inserted, parcels };
  const unregistered = lacking.map((one) =>
    one.clientExternalReference === undefined ? one : { ...one, buyer: undefined },
  );
  const after = await insertBuyers(on, unregistered, contacts);
  const second = await insertOfKnown(on, lacking, contacts);
  for (const [place, { index }] of lacking.entries()) {
    const client = after.clients[place] ?? before.clients[index] ?? tryAgain;
    const result = second.inserted[place] ?? tryAgain;
    inserted[index] = isUnknown(result) ? buyerRefused(client) : withBuyer(result, client);
  }
  return { inserted, parcels: [...parcels, ...after.parcels, ...second.parcels] };
};

/**
 * Inserts conversions with their deliveries. Returns one result per conversion, in order, and the new parcels. With a buyer, whom the
 * partner names by a reference of its own, the client or its new click is registered before; of a buyer who is named by an email alone the new
 * click, and the client only if none has the email. Needs a transaction if there are buyers,
 * or words about consent.
 */
export const insertConversions = async (
  on: Queryable,
  wanted: readonly NewConversion[],
  contacts: ContactCipher,
): Promise<Inserted> => {
  const result = await insertWithBuyers(on, wanted, contacts);
  await tellConsents(
    on,
    wanted.flatMap((one, index) => {
      const conversion = result.inserted[index];
      const isCreated = conversion !== undefined && conversion !== tryAgain && conversion.kind === 'created';
      if (!isCreated || !saysAnything(one)) return [];
      const { accountId, adUserData, adPersonalization, occurredAt, clientExternalReference: reference } = one;
      const isByEmail = reference === undefined;
      return [{ accountId, conversionId: conversion.id, isByEmail, occurredAt, adUserData, adPersonalization }];
    }),
  );
  return result;
};

const buyerRefused = (client: Tried<InsertedClient>): Tried<InsertedConversion> => {
  if (client === tryAgain) return tryAgain;
  const { data } = refusedClientSchema.safeParse(client);
  return data === undefined ? { kind: 'client-unknown' } : { kind: 'buyer-refused', of: data };
};
