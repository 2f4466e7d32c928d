import {
  consentWithdrawn,
  eventTooOld,
  hasMatchKey,
  type MatchKey,
  type MatchKeySet,
  matchKeysOf,
  type PlatformName,
  type AccountMode,
  platformNames,
  type ClickIdName,
  clickIdNames,
  type Contact,
  contactToShare,
  type Sharing,
  webhookName,
} from '@leadback/domain';
import { type ContactCipher, preparedStatement, type Queryable, statement } from '@leadback/db';
import { zoneOf } from '../accounts/days.ts';
import { type ChangeRoller, changeRoller } from '../metrics/metrics.ts';
import { clientContact, leadContact } from '../clients/read.ts';
import { leadIdsOf } from '../leads/attribution.ts';
import { consentColumns, type ConsentRow, lastWord, sharingOfRow } from '../leads/consent.ts';

/** What a partner can change so that platforms match more conversions, or are told of more. */
export const adviceTexts = {
  email: 'Send the email address (`email`) with POST /client.',
  phone: 'Send the phone number (`phoneNumber`) with POST /client, with its country code.',
  externalId:
    'Send your own identifier (`externalReference`) with POST /client, and give the same one to your pixel as external_id.',
  click:
    'Use the landing page as the destination of your ads, with auto-tagging on. Register each client with the lead reference of its own visit: then the click id of the ad is known.',
  ipAndUserAgent:
    'Ask your operator to check TRUST_PROXY of landing: the IP address or the browser of visitors is unknown.',
  fbp: 'Use the Meta pixel on the domain of the landing page, so that its cookie _fbp is there when visitors arrive.',
  ttp: 'Use the TikTok pixel on the domain of the landing page, so that its cookie _ttp is there when visitors arrive.',
  consent: 'Ask visitors for consent on the landing page: platforms are told nothing of visitors who refused.',
  time: 'Register conversions sooner, with the `occurredAt` of the sale: the platform takes no older events.',
} as const;

export type AdviceName = keyof typeof adviceTexts;

/** Closed deliveries that ended alike. */
export interface QualityCount {
  readonly state: 'delivered' | 'failed' | 'skipped';
  /** A code; empty if delivered. */
  readonly reason: string;
  /** Null: no event was built, or it was closed before keys were counted. */
  readonly keys: MatchKeySet | null;
  readonly deliveries: number;
}

/** Whether it is known by which keys the platform could match them: what is skipped carries none. */
const hasKnownKeys = ({ state, keys }: QualityCount): boolean => keys !== null || state === 'skipped';

interface Advice {
  readonly name: AdviceName;
  readonly action: string;
  /** The share of conversions that it would help, 0 to 1, of those whose keys are known. */
  readonly affects: number;
}

/** The reason of a delivery for which there was nothing to match by. */
const noMatchKeys = 'no_match_keys';

// Google's ids of a click by many people: contact data is not sent beside them
const aggregateKeys: readonly MatchKey[] = ['gbraid', 'wbraid'];

const advisable = [
  'email',
  'phone',
  'externalId',
  'ipAndUserAgent',
  'fbp',
  'ttp',
] as const satisfies readonly MatchKey[];

/** Which advice would have helped a delivery that ended so. */
const adviceFor = (platform: PlatformName, { reason, keys }: QualityCount): readonly AdviceName[] => {
  if (reason === consentWithdrawn) return []; // nobody but the visitor may change it
  if (reason === 'consent') return ['consent'];
  if (reason === eventTooOld) return ['time'];
  if (keys === null && reason !== noMatchKeys) return [];
  const carried = keys ?? 0;
  if (aggregateKeys.some((key) => hasMatchKey(carried, key))) return [];
  const taken = matchKeysOf(platform);
  const missing = advisable.filter((key) => taken.includes(key) && !hasMatchKey(carried, key));
  return reason === noMatchKeys ? ['click', ...missing] : missing;
};

const names: readonly string[] = Object.keys(adviceTexts);
const places = (share: number) => Math.round(share * 10_000) / 10_000;

/** The advice for a platform, that which helps most conversions first. */
export const adviceOf = (platform: PlatformName, counts: readonly QualityCount[]): Advice[] => {
  const helped = new Map<AdviceName, number>();
  let conversions = 0;
  for (const count of counts.filter(hasKnownKeys)) {
    conversions += count.deliveries;
    for (const name of adviceFor(platform, count)) helped.set(name, (helped.get(name) ?? 0) + count.deliveries);
  }
  return [...helped]
    .toSorted(([one, few], [other, many]) => many - few || names.indexOf(one) - names.indexOf(other))
    .map(([name, deliveries]) => ({ name, action: adviceTexts[name], affects: places(deliveries / conversions) }));
};

/** The delivery outcomes of an account's conversions at a platform, once for each connection. */
export interface PlatformQuality {
  readonly platform: PlatformName;
  /** Whose delivery is closed. */
  readonly conversions: number;
  readonly delivered: number;
  /** How many by reason: a code, or `other`. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, number>>;
  /**
   * The share of the conversions that carried the key, 0 to 1: each that the platform matches by. Of the conversions whose
   * keys are known; empty if there are none.
   */
  readonly keys: Readonly<Partial<Record<MatchKey, number>>>;
  /** What helps most conversions comes first. */
  readonly advice: Advice[];
}

interface Row {
  platform: string;
  state: QualityCount['state'];
  reason: string;
  match_keys: number;
  deliveries: number;
}

/** SQL: which changes that are not rolled up yet count on days of the account $1. */
export const isOnDays = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  `at >= start_of_day(${from}::date, ${zoneOf('$1')}) and at < start_of_day(${to}::date + 1, ${zoneOf('$1')})`;

const read = statement<Row>(
  `select platform, state, reason, match_keys, sum(deliveries)::bigint as deliveries
   from (
     select platform, state, reason, match_keys, deliveries from quality_day
     where account_id = $1 and day between $2::date and $3::date
     union all
     select platform, state, reason, match_keys, change from quality_increment
     where account_id = $1 and ${isOnDays({ from: '$2', to: '$3' })}
   ) counted
   group by 1, 2, 3, 4 having sum(deliveries) > 0`,
);

const sum = (counts: readonly QualityCount[]) => counts.reduce((total, { deliveries }) => total + deliveries, 0);

const reasonsMax = 20;

/** The most frequent reasons; the others together. */
const byReason = (counts: readonly QualityCount[]): Record<string, number> => {
  const totals = [...Map.groupBy(counts, ({ reason }) => reason)]
    .map(([reason, alike]) => [reason, sum(alike)] as const)
    .toSorted(([one, few], [other, many]) => many - few || one.localeCompare(other));
  const named = totals.filter(([reason]) => reason !== 'other').slice(0, reasonsMax);
  const others = sum(counts) - named.reduce((total, [, count]) => total + count, 0);
  return { ...Object.fromEntries(named), ...(others > 0 && { other: others }) };
};

const qualityOf = (platform: PlatformName, counts: readonly QualityCount[]): PlatformQuality => {
  const conversions = sum(counts);
  const inState = (wanted: QualityCount['state']) => counts.filter(({ state }) => state === wanted);
  const known = counts.filter(hasKnownKeys);
  const carrying = (key: MatchKey) => known.filter(({ keys }) => keys !== null && hasMatchKey(keys, key));
  const shareOf = (key: MatchKey) => [key, places(sum(carrying(key)) / sum(known))] as const;
  return {
    platform,
    conversions,
    delivered: sum(inState('delivered')),
    skipped: byReason(inState('skipped')),
    failed: byReason(inState('failed')),
    keys: known.length === 0 ? {} : Object.fromEntries(matchKeysOf(platform).map(shareOf)),
    advice: adviceOf(platform, counts),
  };
};

/**
 * The quality of an account's platforms: those with closed deliveries. `from` and `to`: the days of the conversions, of the account's,
 * both inclusive, `YYYY-MM-DD`. Exact at once: changes that are not rolled up yet are included. Tests are not counted.
 */
export const readQuality = async (
  on: Queryable,
  { accountId, isTest }: AccountMode,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<PlatformQuality[]> => {
  const rows = isTest ? [] : await read(on, [accountId, from, to]);
  const counts = Map.groupBy(rows, ({ platform }) => platform);
  return platformNames.flatMap((platform) => {
    const own = counts.get(platform) ?? [];
    const alike = own.map(({ match_keys: keys, ...count }) => ({ ...count, keys: keys < 0 ? null : keys }));
    return alike.length === 0 ? [] : [qualityOf(platform, alike)];
  });
};

// Concurrent calls are safe, as those of the metrics. Plan: as theirs.
const rollUp = preparedStatement<{ rolled_up: number; first_id: number | null }>(
  'roll-up-quality',
  'select rolled_up, first_id from roll_up_quality($1, $2)',
);

/** Returns a function that adds changes to the quality counts of their accounts. */
export const qualityRoller = (): ChangeRoller => changeRoller(rollUp);

/** What platforms could match the conversions of a client by. */
export interface MatchFacts {
  /** What platforms may be told of the client. */
  readonly contact: Contact;
  /** Whether the account has given the client an identifier of its own. */
  readonly hasReference: boolean;
  /** What platforms may be told at all. */
  readonly sharing: Sharing;
  /** Of the conversion, by the clock of the database; null: of a client. */
  readonly ageMs: number | null;
  /** Of the client's leads. */
  readonly clickIds: readonly ClickIdName[];
  /** ISO 3166-1 alpha-2: of national phone numbers. */
  readonly country: string;
  /** To which the account has connections. */
  readonly platforms: readonly PlatformName[];
}

interface FactsRow extends ConsentRow {
  contact: Buffer | null;
  data_key: Buffer | null;
  has_reference: boolean;
  /** The names of all click parameters that are not blank. */
  click_names: string[];
  lead_contact: Buffer | null;
  lead_reference: string;
  /** Of the lead with which the client was registered. */
  client_lead_reference: string;
  country: string;
  platforms: PlatformName[];
  age_ms: number | null;
}

/** SQL, of the client c. `leadId`: the lead that counts. `leadIds`: of all leads of which a platform is told a click id. */
interface Subject {
  readonly client: string;
  readonly leadId: string;
  readonly leadIds: string;
  readonly ageMs: string;
}

const factsOf = ({ client, leadId, leadIds, ageMs }: Subject) => `
  select c.contact, l.contact as lead_contact, l.reference as lead_reference,
         account.data_key, coalesce(c.external_reference, c.test_reference) is not null as has_reference,
         (select reference from lead where id = c.lead_id) as client_lead_reference,
         array(select sent.key from lead clicked cross join jsonb_each_text(clicked.click_parameters) sent
               where clicked.id = any(${leadIds}) and sent.value ~ '\\S') as click_names,
         account.country, account.gpc_reading,
         ${consentColumns},
         array(select distinct platform from platform_connection
               where account_id = c.account_id and platform <> '${webhookName}' and deleted_at is null) as platforms,
         ${ageMs} as age_ms
  from client c
  join lead l on l.id = ${leadId} and l.account_id = c.account_id
  join account on account.id = c.account_id
  left join lateral (${lastWord({ id: 'c.id', leadId: 'c.lead_id', accountId: 'c.account_id' })}) word on true
  where c.account_id = $1 and c.is_test = $2 and c.id = ${client}`;

const ofClient = statement<FactsRow>(
  factsOf({
    client: '$3',
    leadId: 'c.lead_id',
    leadIds: leadIdsOf('c'),
    ageMs: 'null::float8',
  }),
);

const conversion = (column: string) =>
  `(select ${column} from conversion where id = $3 and account_id = $1 and is_test = $2)`;

const ofConversion = statement<FactsRow>(
  factsOf({
    client: conversion('client_id'),
    leadId: conversion('lead_id'),
    leadIds: `${conversion('lead_id')} || array(select lead_id from delivery where conversion_id = $3 and account_id = $1)`,
    ageMs: conversion('extract(epoch from now() - coalesce(occurred_at, created_at))::float8 * 1000'),
  }),
);

/** Undefined if the account has no such client or conversion in this mode. */
export const readMatchFacts = async (
  on: Queryable,
  contacts: ContactCipher,
  { accountId, isTest }: AccountMode,
  of: { readonly clientId: number } | { readonly conversionId: number },
): Promise<MatchFacts | undefined> => {
  const [row] =
    'clientId' in of
      ? await ofClient(on, [accountId, isTest, of.clientId])
      : await ofConversion(on, [accountId, isTest, of.conversionId]);
  if (!row) return undefined;
  const sharing = sharingOfRow(row);
  const { data_key: dataKey, lead_reference: leadReference, client_lead_reference: reference } = row;
  return {
    contact: contactToShare(
      clientContact({ contact: row.contact, dataKey }, { accountId, leadReference: reference }, contacts),
      leadContact({ contact: row.lead_contact, dataKey }, { accountId, leadReference }, contacts),
      sharing,
    ),
    sharing,
    ageMs: row.age_ms,
    hasReference: row.has_reference,
    clickIds: clickIdNames.filter((name) => row.click_names.includes(name)),
    country: row.country,
    platforms: row.platforms,
  };
};
