import {
  type AccountId,
  type AccountMode,
  cleaned,
  type Currency,
  emailAddressOf,
  inMinorUnits,
  isCurrency,
  type RefusalCode,
  type SourceOutcome,
} from '@leadback/domain';
import { type ContactCipher, type PoolClient, statement } from '@leadback/db';
import type { Keys } from '@leadback/domain/keys';
import { phoneNumberInE164 } from '@leadback/platforms/phone-number';
import { type ConversionOutcome, registerConversions } from '../batches.ts';
import { phoneHashOf } from '../clients/register.ts';
import { adjustConversions } from '../conversions/adjust.ts';
import { askErasure } from '../erasure/ask/ask-erasure.ts';
import type { NewParcel } from '../delivery/enqueue.ts';
import { someLeadsUnderWay } from '../leads/landing-instances.ts';
import { registerClick } from '../leads/register.ts';
import { byReference } from '../registering.ts';
import { lessRefunds } from './amounts.ts';
import { orderOf, type Reading, type SourceChange, type SourceOrder } from './kind.ts';
import type { SourceReason } from './reasons.ts';
import { clickUrlIn, leadReferencesIn } from './reference-finder.ts';

/** An event that was read. Of several in one call, no two are of one order. */
export interface ReadEvent {
  readonly id: number;
  readonly receivedAt: Date;
  readonly reading: Reading;
}

export interface Finished {
  readonly outcome: SourceOutcome;
  readonly reason?: SourceReason | undefined;
  /** Without personal data. */
  readonly message?: string | undefined;
  readonly conversionId?: number | undefined;
  /** Of a sale that was registered: to be counted. */
  readonly created?: { readonly currency: Currency; readonly isTest: boolean } | undefined;
  /** Of a total that was changed: to be counted. */
  readonly adjusted?: { readonly kind: 'restate' | 'retract'; readonly isTest: boolean } | undefined;
}

/** What an event came to; `waitSeconds`: its turn comes later. */
export type Settled = Finished | { readonly waitSeconds: number };

export interface SettledEvents {
  /** In the order of the events. */
  readonly results: readonly Settled[];
  /** To be announced after the commit. */
  readonly parcels: readonly NewParcel[];
}

interface SettleTools {
  readonly referenceKeys: Keys;
  /** Of `erasureKeys`. */
  readonly erasureKeys: Keys;
  readonly contacts: ContactCipher;
}

interface SettledSource {
  readonly id: number;
  readonly accountId: AccountId;
  /** All that it brings is a test. */
  readonly isTest: boolean;
}

interface AccountFacts {
  readonly country: string;
  readonly currencies: readonly Currency[];
  readonly now: Date;
}

const readAccount = statement<AccountFacts>(
  'select country, currencies, clock_timestamp() as now from account where id = $1',
);

/** The sale with the reference of an order, also if the backend has registered it. */
interface KnownSale {
  readonly id: number;
  readonly currency: Currency;
  /** Now: a decimal. */
  readonly total: string;
  readonly isRetracted: boolean;
}

/** What this source was told of an order before. */
interface History {
  /** Since when the newest state is that it told of. */
  readonly stateAt: Date | null;
  /** The same of messages that tell all of the order: what was before is in them. */
  readonly wholeStateAt: Date | null;
  readonly wasWithoutClick: boolean;
  /** Whether it told that the order was not paid, and nothing since then that is not settled. */
  readonly isUnpaid: boolean;
  /** Whether it registered the sale. */
  readonly isOwn: boolean;
  /** Whether another source of its kind did: of two shops, each may have an order of this number. */
  readonly isOfOther: boolean;
}

interface Facts extends History {
  readonly sale: KnownSale | undefined;
}

type FactsRow = History & { [Name in keyof KnownSale]: KnownSale[Name] | null };

const saleByReference = byReference({
  table: 'conversion',
  as: 'v',
  columns: 'v.id, v.currency, v.amount',
  accountId: '$1',
  isTest: 'i.is_test',
  reference: 'i.reference',
});

// Plan: of each reference one entry of an index, and the events of its order.
const readFacts = statement<FactsRow>(
  `select v.id, v.currency, coalesce(last.amount, v.amount) as total, coalesce(last.kind = 'retract', false) as "isRetracted",
          h.state_at as "stateAt", h.whole_state_at as "wholeStateAt", coalesce(h.was_without_click, false) as "wasWithoutClick", coalesce(h.is_unpaid, false) as "isUnpaid",
          coalesce(h.is_own, false) as "isOwn", coalesce(o.is_of_other, false) as "isOfOther"
   from unnest($3::text[], $4::boolean[], $5::bigint[]) with ordinality i (reference, is_test, event_id, place)
   left join lateral (
     ${saleByReference}
     limit 1
   ) v on true
   left join lateral (
     select amount, kind from conversion_adjustment
     where conversion_id = v.id and account_id + 0 = $1 order by id desc limit 1
   ) last on true
   left join lateral (
     select max(state_at) filter (where outcome in ('sale', 'adjusted', 'repeated', 'without-click')) as state_at,
            max(state_at) filter (where outcome in ('sale', 'adjusted', 'repeated', 'without-click') and not is_partial) as whole_state_at,
            bool_or(outcome = 'without-click') as was_without_click, bool_or(outcome = 'sale') as is_own,
            bool_or(outcome = 'ignored' and reason = 'not-paid') and not bool_or(finished_at is null and id < i.event_id) as is_unpaid
     from source_event where source_id = $2 and order_reference = i.reference
   ) h on true
   left join lateral (
     select true as is_of_other from source_event e join source s on s.id = e.source_id
     where e.conversion_id = v.id and e.outcome = 'sale' and s.id <> $2 and s.deleted_at is null
       and s.kind = (select kind from source where id = $2)
     limit 1
   ) o on true
   order by i.place`,
);

const factsOf = ({ id, currency, total, isRetracted, ...history }: FactsRow): Facts => ({
  ...history,
  sale:
    id === null || currency === null || total === null || isRetracted === null
      ? undefined
      : { id, currency, total, isRetracted },
});

interface LeadRow {
  readonly reference: string;
  readonly isOwn: boolean | null;
  readonly isUnderWay: boolean;
}

// A lead of another account is none of this one's, and nothing more is read of it.
const readLeads = statement<LeadRow>(
  `select i.reference, l.is_own as "isOwn", ${someLeadsUnderWay} as "isUnderWay"
   from unnest($1::text[]) i (reference)
   left join lateral (
     select account_id = $2 and ($3 or not is_test) as is_own from lead where reference = i.reference limit 1) l on true`,
);

const clientOfLead = statement<{ reference: string }>(
  `select coalesce(c.external_reference, c.test_reference) as reference
   from lead l cross join lateral unnest(clients_of_lead(l.id)) its (id) join client c on c.id = its.id
   where l.reference = $1 and c.account_id = $2 and c.is_test = $3 and num_nonnulls(c.external_reference, c.test_reference) = 1
   order by c.id desc limit 1`,
);

interface ClientByPhone {
  readonly reference: string | null;
  readonly lead: string;
}

const findByPhone = statement<ClientByPhone>(
  `select coalesce(c.external_reference, c.test_reference) as reference, l.reference as lead
   from client c join lead l on l.id = c.lead_id
   where c.account_id = $1 and c.phone_hash = $2 and c.is_test = $3 order by c.id desc limit 1`,
);

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** For so long, a refund waits for its sale. */
const saleAwaitedMs = 3 * dayMs;
/** For so long, a sale waits for a lead that a landing app may hold. */
const leadAwaitedMs = 10 * minuteMs;
// a landing app that holds a lead is noticed within some seconds
const leadUnnoticedMs = 10_000;
/** For so long, a payment waits for the message that has its click. */
const clickAwaitedMs = 90_000;

const done = (outcome: SourceOutcome, reason?: SourceReason, more: Partial<Finished> = {}): Finished => ({
  outcome,
  ...(reason && { reason }),
  ...more,
});

const isSame = (one: string, other: string, currency: Currency): boolean =>
  inMinorUnits(one, currency) === inMinorUnits(other, currency);

const isLess = (one: string, other: string, currency: Currency): boolean =>
  inMinorUnits(one, currency) < inMinorUnits(other, currency);

const isNothing = (amount: string, currency: Currency): boolean => inMinorUnits(amount, currency) === 0n;

interface NewTotal {
  readonly conversionId: number;
  readonly kind: 'restate' | 'retract';
  readonly amount?: string;
  readonly occurredAt?: string | undefined;
  readonly adjustmentExternalReference?: string;
}

/** What an event leads to, as far as it shows before anything is registered. */
type Plan =
  | { readonly kind: 'settled'; readonly settled: Settled }
  | {
      readonly kind: 'register';
      readonly order: SourceOrder;
      readonly currency: Currency;
      readonly wasWithoutClick: boolean;
    }
  | { readonly kind: 'adjust'; readonly to: NewTotal };

const settled = (result: Settled): Plan => ({ kind: 'settled', settled: result });

const isOlder = (stateAt: string | undefined, { stateAt: known }: History): boolean =>
  stateAt !== undefined && known !== null && Date.parse(stateAt) < known.getTime();

/** Whether a message that tells all of the order came, which has this refund. */
const isWithin = (stateAt: string | undefined, { wholeStateAt: known }: History): boolean =>
  stateAt !== undefined && known !== null && Date.parse(stateAt) <= known.getTime();

const changedAt = (time: string | undefined, now: Date): string | undefined =>
  time !== undefined && Date.parse(time) <= now.getTime() ? time : undefined;

const planOfOrder = (order: SourceOrder, { sale, ...history }: Facts, { currencies, now }: AccountFacts): Plan => {
  if (!order.isPaid) return settled(done('ignored', 'not-paid'));
  const [first] = currencies;
  const currency = order.currency ?? first;
  if (!isCurrency(currency)) return settled(done('failed', 'fields-wrong', { message: 'currency: not of ISO 4217' }));
  if (!sale) {
    const { paidAt } = order;
    if (paidAt !== undefined && Date.parse(paidAt) < now.getTime() - 400 * dayMs) {
      return settled(done('ignored', 'too-old'));
    }
    return { kind: 'register', order, currency, wasWithoutClick: history.wasWithoutClick };
  }
  if (history.isOfOther && !history.isOwn) return settled(done('failed', 'other-source'));
  const known = { conversionId: sale.id };
  if (isOlder(order.stateAt, history)) return settled(done('ignored', 'older', known));
  // what the advertiser's own server registered, with a total of its own, changes only by a refund
  const isChanged = history.isOwn || !isSame(order.left, order.total, currency);
  // without a time, nobody knows which message is newer: the lower total is, because most totals change by a refund
  const isNewer = order.stateAt !== undefined || isLess(order.left, sale.total, currency);
  const hasNewTotal = isChanged && isNewer && !sale.isRetracted && !isSame(order.left, sale.total, currency);
  if (!hasNewTotal || sale.currency !== currency) return settled(done('repeated', 'known-sale', known));
  return {
    kind: 'adjust',
    to: { ...totalOf(order.left, currency), ...known, occurredAt: changedAt(order.stateAt, now) },
  };
};

const totalOf = (amount: string, currency: Currency): Pick<NewTotal, 'kind' | 'amount'> =>
  isNothing(amount, currency) ? { kind: 'retract' } : { kind: 'restate', amount };

const waitFor = (ageMs: number): Settled => ({
  waitSeconds: Math.min(Math.max(Math.round(ageMs / 2000), 15), 3_600),
});

const referenceLongest = 255;

const planOfChange = (
  { reference, currency, stateAt, to, changedAt: time }: SourceChange,
  { sale, ...history }: Facts,
  { now }: AccountFacts,
  ageMs: number,
): Plan => {
  if (!sale) {
    if (history.wasWithoutClick) return settled(done('ignored', 'sale-without-click'));
    if (to.kind === 'retract' && to.isCancellation === true && history.isUnpaid) {
      return settled(done('ignored', 'never-paid'));
    }
    return settled(ageMs > saleAwaitedMs ? done('ignored', 'no-sale') : waitFor(ageMs));
  }
  const known = { conversionId: sale.id };
  const isKnown = to.kind === 'less' ? isWithin(stateAt, history) : isOlder(stateAt, history);
  if (isKnown) return settled(done('ignored', 'older', known));
  if (sale.isRetracted) return settled(done('repeated', 'no-new-total', known));
  if (currency !== undefined && currency !== sale.currency) return settled(done('ignored', 'other-currency', known));
  const own = { ...known, occurredAt: changedAt(time, now) };
  if (to.kind === 'retract') return { kind: 'adjust', to: { ...own, kind: 'retract' } };
  if (to.kind === 'restate') {
    if (isSame(to.amount, sale.total, sale.currency)) return settled(done('repeated', 'no-new-total', known));
    return { kind: 'adjust', to: { ...own, ...totalOf(to.amount, sale.currency) } };
  }
  const left = lessRefunds(sale.total, [to.amount], sale.currency);
  const adjustmentExternalReference = `${reference} ${to.id}`.slice(0, referenceLongest);
  return { kind: 'adjust', to: { ...own, ...totalOf(left, sale.currency), adjustmentExternalReference } };
};

/** The click of a sale: a reference of a lead of the account, or that one is on its way. */
type FoundClick = { readonly reference: string | undefined } | 'under-way';

interface Sale {
  readonly event: ReadEvent;
  readonly order: SourceOrder;
  readonly currency: Currency;
  readonly mode: AccountMode;
  readonly account: AccountFacts;
  /** Whether an earlier message of it had no click either. */
  readonly wasWithoutClick: boolean;
}

const ageOf = ({ event, account }: Pick<Sale, 'event' | 'account'>): number =>
  account.now.getTime() - event.receivedAt.getTime();

/** The genuine references in sales, by the index of the sale, and what is known of their leads. */
const findReferences = async (on: PoolClient, { referenceKeys }: SettleTools, sales: readonly Sale[]) => {
  const candidates = sales.map(({ event, order }) =>
    leadReferencesIn(referenceKeys, [order.leadReference, event.reading.searched]),
  );
  const leads = new Map<boolean, ReadonlyMap<string, LeadRow>>();
  for (const [isTest, ofMode] of Map.groupBy(sales.entries(), ([, { mode }]) => mode.isTest)) {
    const asked = [...new Set(ofMode.flatMap(([index]) => candidates[index] ?? []))];
    const [accountId] = ofMode.map(([, { mode }]) => mode.accountId);
    const rows = asked.length === 0 || accountId === undefined ? [] : await readLeads(on, [asked, accountId, isTest]);
    leads.set(isTest, new Map(rows.map((row) => [row.reference, row])));
  }
  return candidates.map((ofSale, index) =>
    ofSale.flatMap((reference) => leads.get(sales[index]?.mode.isTest === true)?.get(reference) ?? []),
  );
};

const findClick = async (
  on: PoolClient,
  tools: SettleTools,
  { event, order, mode, account }: Sale,
  candidates: readonly LeadRow[],
): Promise<FoundClick> => {
  const own = candidates.find(({ isOwn }) => isOwn === true);
  if (own !== undefined) return { reference: own.reference };
  const ageMs = ageOf({ event, account });
  const isAwaited = candidates.some(
    ({ isOwn, isUnderWay }) => isOwn === null && (isUnderWay ? ageMs < leadAwaitedMs : ageMs < leadUnnoticedMs),
  );
  if (isAwaited) return 'under-way';
  const soldAt = order.paidAt ?? event.receivedAt.toISOString();
  const url = clickUrlIn(order.landingUrls ?? [], Date.parse(soldAt));
  if (url === undefined) return { reference: undefined };
  const reference = await registerClick(on, tools, {
    mode,
    actor: 'leadback',
    traceParent: undefined,
    input: {
      url,
      ip: order.ip,
      userAgent: order.userAgent,
      occurredAt: Date.parse(soldAt) > account.now.getTime() ? undefined : soldAt,
      referrer: undefined,
      cookies: undefined,
      consent: undefined,
      page: undefined,
    },
  });
  return { reference };
};

const nameLongest = 200;
const phoneLongest = 40;
const emailLongest = 254;

const cut = (text: string | undefined, longest: number): string | undefined =>
  text === undefined
    ? undefined
    : cleaned(text.replaceAll(/\p{Cc}/gu, ' '))
        .slice(0, longest)
        .toWellFormed() || undefined;

/** Read by the rules of the buyer's country, where the shop knows it: the account's may be another one. */
const phoneOf = ({ phone, country }: SourceOrder['buyer'], account: AccountFacts): string | undefined => {
  const written = cut(phone, 64);
  if (written === undefined) return undefined;
  const e164 = country === undefined ? undefined : phoneNumberInE164(written, country.toUpperCase());
  return e164 ?? (written.length <= phoneLongest ? written : phoneNumberInE164(written, account.country));
};

const emailOf = ({ email }: SourceOrder['buyer']): string | undefined => {
  const address = emailAddressOf(cut(email, 1_000));
  return address !== undefined && address.length <= emailLongest ? address : undefined;
};

/** Who bought, by what a client is found. */
interface FoundBuyer {
  readonly lead: string | undefined;
  readonly client?: string | undefined;
  readonly email?: string | undefined;
}

/** As a partner sends it. */
const itemFor = ({ event, order, currency, account }: Sale, { lead, client, email }: FoundBuyer) => {
  const { buyer, reference, total, paidAt, more } = order;
  const isPast = paidAt !== undefined && Date.parse(paidAt) <= account.now.getTime();
  const name = cut(buyer.name, nameLongest);
  const phoneNumber = phoneOf(buyer, account);
  return {
    ...more,
    amount: Number(total),
    currency,
    conversionExternalReference: reference,
    occurredAt: isPast ? paidAt : event.receivedAt.toISOString(),
    ...(email !== undefined && { email }),
    ...(client !== undefined && { clientExternalReference: client }),
    ...(lead !== undefined && { leadReference: lead }),
    ...(lead !== undefined && name !== undefined && { name }),
    ...(lead !== undefined && phoneNumber !== undefined && { phoneNumber }),
  };
};

/** The item of the client with this phone number, who has neither been named otherwise nor clicked. Undefined: there is none. */
const itemByPhone = async (on: PoolClient, { contacts }: SettleTools, sale: Sale) => {
  const { order, mode, account } = sale;
  const phoneNumber = phoneOf(order.buyer, account);
  const { keys } = (await contacts.ofAccounts(on, [mode.accountId]))(mode.accountId);
  const hash = keys && phoneHashOf(keys, phoneNumber);
  if (hash === undefined) return undefined;
  const [found] = await findByPhone(on, [mode.accountId, hash, mode.isTest]);
  if (!found) return undefined;
  const { reference, lead } = found;
  // whom nothing names is called by its click
  return itemFor(sale, reference === null ? { lead, client: lead } : { lead: undefined, client: reference });
};

/** The item of a sale, by email, by a reference, or by its click. Undefined: nobody can be found for it. */
const itemOf = async (on: PoolClient, tools: SettleTools, sale: Sale, lead: string | undefined) => {
  const { order, mode } = sale;
  const { buyer } = order;
  const email = emailOf(buyer);
  let client = cut(buyer.externalReference, referenceLongest);
  if (email === undefined && client === undefined) {
    if (lead === undefined) return itemByPhone(on, tools, sale);
    const [known] = await clientOfLead(on, [lead, mode.accountId, mode.isTest]);
    // whom only the click names is called by it
    client = known?.reference ?? lead;
  }
  return itemFor(sale, { lead, client, email });
};

/** Of a sale that was refused: what it came to, by the code. All others name a wrong field. */
const refusedAs: Readonly<Partial<Record<RefusalCode, readonly [SourceOutcome, SourceReason]>>> = {
  'client-unknown': ['without-click', 'no-click'],
  'lead-unknown': ['without-click', 'no-click'],
  suppressed: ['ignored', 'person-erased'],
  'currency-not-allowed': ['failed', 'currency-not-allowed'],
  'conversion-repeated': ['repeated', 'known-sale'],
  'conversion-differs': ['repeated', 'known-sale'],
};

const refused = ({ code, message }: Extract<ConversionOutcome, { outcome: 'refused' }>): Finished => {
  const [outcome, reason] = refusedAs[code] ?? ['failed', 'fields-wrong'];
  return done(outcome, reason, outcome === 'failed' ? { message } : {});
};

const resultOf = (outcome: ConversionOutcome, { currency, mode }: Sale): Finished => {
  if (outcome.outcome === 'refused') return refused(outcome);
  if (outcome.outcome !== 'created') return done('repeated', 'known-sale', { conversionId: outcome.id });
  return done('sale', undefined, { conversionId: outcome.id, created: { currency, isTest: mode.isTest } });
};

/** Registers sales, each with its click and buyer. Returns one result per sale, in order. */
const registerSales = async (
  on: PoolClient,
  tools: SettleTools,
  source: SettledSource,
  sales: readonly Sale[],
): Promise<SettledEvents> => {
  const results: Settled[] = [];
  const parcels: NewParcel[] = [];
  const items: { readonly index: number; readonly item: object; readonly sale: Sale }[] = [];
  const references = await findReferences(on, tools, sales);
  for (const [index, sale] of sales.entries()) {
    const click = await findClick(on, tools, sale, references[index] ?? []);
    if (click === 'under-way') {
      results[index] = { waitSeconds: 5 };
      continue;
    }
    if (click.reference === undefined && sale.order.mayGetClick === true && ageOf(sale) < clickAwaitedMs) {
      results[index] = { waitSeconds: 30 };
      continue;
    }
    const item = await itemOf(on, tools, sale, click.reference);
    if (item === undefined) results[index] = done('without-click', 'no-click');
    else items.push({ index, item, sale });
  }
  const register = async (wanted: typeof items): Promise<void> => {
    for (const [isTest, ofMode] of Map.groupBy(wanted, ({ sale }) => sale.mode.isTest)) {
      const mode = { accountId: source.accountId, isTest };
      const registered = await registerConversions(
        on,
        mode,
        ofMode.map(({ item }) => item),
        tools,
      );
      parcels.push(...registered.parcels);
      for (const [place, { index, sale }] of ofMode.entries()) {
        const outcome = registered.outcomes[place];
        if (outcome === undefined) throw new Error('fewer outcomes than sales');
        results[index] = resultOf(outcome, sale);
      }
    }
  };
  await register(items);
  // whom neither a click nor an email names, a phone number may
  const byPhone: typeof items = [];
  for (const { index, sale } of items) {
    const result = results[index];
    if (result === undefined || !('outcome' in result) || result.outcome !== 'without-click') continue;
    const item = await itemByPhone(on, tools, sale);
    if (item) byPhone.push({ index, item, sale });
  }
  await register(byPhone);
  // an order counts once as one without a click, however many messages tell of it
  const once = results.map((result, index) =>
    'outcome' in result && result.outcome === 'without-click' && sales[index]?.wasWithoutClick === true
      ? done('repeated', 'no-click')
      : result,
  );
  return { results: once, parcels };
};

interface Adjusting {
  readonly index: number;
  readonly to: NewTotal;
  readonly isTest: boolean;
  /** Of a sale that the same event has registered. */
  readonly sold?: Finished;
}

const adjustedResult = (
  { to, isTest, sold }: Adjusting,
  result: Awaited<ReturnType<typeof adjustConversions>>['results'][number] | undefined,
): Finished => {
  const { conversionId } = to;
  if (result?.kind === 'created') {
    const adjusted = { kind: to.kind, isTest };
    return sold ? { ...sold, adjusted } : done('adjusted', undefined, { conversionId, adjusted });
  }
  if (sold) return sold;
  if (result?.kind === 'repeated' || result?.kind === 'retracted') {
    return done('repeated', 'no-new-total', { conversionId });
  }
  return done('failed', 'fields-wrong', { conversionId, message: result?.kind ?? 'internal' });
};

/** Changes totals, in the order of their conversions. Returns one result per change, by its index. */
const adjust = async (on: PoolClient, { accountId }: SettledSource, changes: readonly Adjusting[]) => {
  const inputs = changes.map(({ to, isTest }) => ({ ...to, accountId, isTest }));
  const { results, parcels } =
    changes.length === 0 ? { results: [], parcels: [] } : await adjustConversions(on, inputs);
  return {
    parcels,
    results: new Map(changes.map((change, place) => [change.index, adjustedResult(change, results[place])])),
  };
};

/** As if the advertiser had asked: the shop passes on what its customer asked of it. */
const eraseEach = async (
  on: PoolClient,
  { erasureKeys }: SettleTools,
  { accountId, isTest }: SettledSource,
  emails: readonly string[],
): Promise<void> => {
  for (const email of emails) {
    await askErasure(on, erasureKeys, { accountId, isTest, askedBy: 'partner', actor: 'leadback', subject: { email } });
  }
};

// the messages alone: their sales are the account's
const emptyAll = statement(
  `update source_event set content = null, fetched = null, person_hashes = null
   where source_id = $1 and finished_at is not null and content is not null`,
);

/**
 * Registers and adjusts what events of a source tell, in the transaction of the caller. Refunds that come before their sale
 * wait, and so does a sale whose lead is on its way. Of the events, no two may be of one order.
 */
export const settleEvents = async (
  on: PoolClient,
  tools: SettleTools,
  source: SettledSource,
  events: readonly ReadEvent[],
): Promise<SettledEvents> => {
  const [account] = await readAccount(on, [source.accountId]);
  if (!account) throw new Error('the account of a source does not exist');
  const about = events.map(({ reading: { means } }) => orderOf(means));
  const modes = about.map(
    (one): AccountMode => ({
      accountId: source.accountId,
      isTest: source.isTest || one?.isTest === true,
    }),
  );
  const references = about.map((one) => one?.reference ?? null);
  const readIn = (isTest: (index: number) => boolean) =>
    readFacts(on, [
      source.accountId,
      source.id,
      references,
      references.map((_, index) => isTest(index)),
      events.map(({ id }) => id),
    ]);
  const rows = await readIn((index) => modes[index]?.isTest === true);
  // of a refund, few say whether its sale was a test
  const isUnknown = (index: number) =>
    events[index]?.reading.means.kind === 'change' && modes[index]?.isTest === false && rows[index]?.id === null;
  if (rows.some((_, index) => isUnknown(index))) {
    const ofTests = await readIn(() => true);
    for (const [index, row] of ofTests.entries()) {
      if (row.id === null || !isUnknown(index)) continue;
      rows[index] = row;
      modes[index] = { accountId: source.accountId, isTest: true };
    }
  }
  const plans = events.map(({ reading: { means }, receivedAt }, index): Plan => {
    const row = rows[index];
    if (row === undefined) throw new Error('fewer facts than events');
    const facts = factsOf(row);
    if (means.kind === 'order') return planOfOrder(means.order, facts, account);
    if (means.kind === 'change') {
      return planOfChange(means.change, facts, account, account.now.getTime() - receivedAt.getTime());
    }
    if (means.kind === 'erase') return settled(done('ignored', means.all === true ? 'store-erased' : 'erasure-asked'));
    if (means.kind === 'fetch') return settled(done('failed', 'internal', { message: 'not fetched' }));
    const { reason, message } = means;
    const outcome = reason === 'fields-wrong' || reason === 'unreadable' ? 'failed' : 'ignored';
    return settled(done(outcome, reason, { message }));
  });

  for (const {
    reading: { means },
  } of events) {
    if (means.kind === 'erase') await eraseEach(on, tools, source, means.emails);
    if (means.kind === 'erase' && means.all === true) await emptyAll(on, [source.id]);
  }

  const results: Settled[] = [];
  const sales: (Sale & { readonly index: number })[] = [];
  const changes: Adjusting[] = [];
  for (const [index, plan] of plans.entries()) {
    const event = events[index];
    const mode = modes[index];
    if (event === undefined || mode === undefined) throw new Error('fewer events than plans');
    if (plan.kind === 'settled') results[index] = plan.settled;
    else if (plan.kind === 'adjust') changes.push({ index, to: plan.to, isTest: mode.isTest });
    else sales.push({ ...plan, index, event, mode, account });
  }

  const registered = await registerSales(on, tools, source, sales);
  for (const [place, { index, order, currency, mode }] of sales.entries()) {
    const result = registered.results[place];
    if (result === undefined) throw new Error('fewer results than sales');
    results[index] = result;
    // what was given back before the sale was known here
    if (!isSame(order.left, order.total, currency) && 'outcome' in result && result.conversionId !== undefined) {
      const to = { ...totalOf(order.left, currency), conversionId: result.conversionId };
      changes.push({ index, to, isTest: mode.isTest, sold: result });
    }
  }
  const adjusted = await adjust(on, source, changes);
  for (const [index, result] of adjusted.results) results[index] = result;
  return { results, parcels: [...registered.parcels, ...adjusted.parcels] };
};
