import { emailKey, leadReferenceIn, type Currency } from '@leadback/domain';
import { type ContactCipher, type Queryable, statement } from '@leadback/db';
import type { AccountScope } from '../people/access.ts';
import { lookupHash } from '@leadback/domain/keys';
import { clientContact, leadContact, type StoredContact } from '../clients/read.ts';
import type { Money } from '../metrics/overview.ts';
import { shownSlug } from '../pages/list-pages.ts';

/** By which of its names something was found. `order`, `event`, `adjustment`: the partner's ids. `conversion`: ours. */
type FoundBy = 'order' | 'event' | 'adjustment' | 'conversion' | 'reference' | 'email' | 'lead' | 'lead-email';

/** A client, perhaps one of its conversions, or a lead. */
interface Match {
  readonly foundBy: FoundBy;
  readonly leadId: number;
  /** Null: the lead was found. */
  readonly clientId: number | null;
  readonly conversionId: number | null;
}

/** How many are found in each way. */
const foundMax = 21;

const by = (foundBy: FoundBy, select: string) => `(select '${foundBy}' as "foundBy", found.* from (${select}) found)`;

const conversions = (found: string) => `
  select v.lead_id as "leadId", v.client_id as "clientId", v.id as "conversionId" from (${found}) v`;
const conversionWith = (column: string) =>
  conversions(`select id, client_id, lead_id from conversion where account_id = $1 and ${column} = $2`);
const conversionOfAdjustmentWith = (column: string) =>
  conversions(
    `select w.id, w.client_id, w.lead_id
     from conversion_adjustment a join conversion w on w.id = a.conversion_id and w.account_id = a.account_id
     where a.account_id = $1 and a.${column} = $2`,
  );

const clientsWith = (column: string, value: string) =>
  `select lead_id as "leadId", id as "clientId", null::bigint as "conversionId"
   from client where account_id = $1 and ${column} = ${value} order by id desc limit ${foundMax}`;

const find = statement<Match>(
  [
    by('order', conversionWith('external_reference')),
    by('order', conversionWith('test_reference')),
    by('event', conversionWith('event_id')),
    by('adjustment', conversionOfAdjustmentWith('external_reference')),
    by('adjustment', conversionOfAdjustmentWith('test_reference')),
    by('conversion', conversions('select id, client_id, lead_id from conversion where id = $4 and account_id = $1')),
    by('reference', clientsWith('external_reference', '$2')),
    by('reference', clientsWith('test_reference', '$2')),
    by('email', clientsWith('email_hash', '$3')),
    by('email', clientsWith('test_email_hash', '$3')),
    by('lead', 'select id, null::bigint, null::bigint from lead where reference = $5 and account_id = $1'),
    by(
      'lead-email',
      `select id, null::bigint, null::bigint from lead where account_id = $1 and email_hash = $3
       order by id desc limit ${foundMax}`,
    ),
  ].join('\nunion all\n'),
);

/** Each once; a lead that was found by its email is left out if its client was. */
const distinct = (matches: readonly Match[]): Match[] => {
  const leadsOfClients = new Set(matches.flatMap(({ clientId, leadId }) => (clientId === null ? [] : [leadId])));
  const known = new Set<string>();
  return matches.filter(({ foundBy, leadId, clientId, conversionId }) => {
    if (foundBy === 'lead-email' && leadsOfClients.has(leadId)) return false;
    const name = `${leadId} ${clientId} ${conversionId}`;
    const isNew = !known.has(name);
    known.add(name);
    return isNew;
  });
};

const idShape = /^[1-9]\d{0,15}$/;

/**
 * Finds what a text names in an account, live and test: an order, event or refund id, a conversion's own id, a client's
 * reference or email, a lead reference, alone or as a cookie keeps it, or the email that a visitor entered. At most `foundMax` in each way.
 */
const findMatches = async (
  on: Queryable,
  contacts: ContactCipher,
  { accountId }: AccountScope,
  text: string,
): Promise<Match[]> => {
  const { keys } = (await contacts.ofAccounts(on, [accountId]))(accountId);
  const hash = keys && text.includes('@') ? lookupHash(keys, 'email', emailKey(text)) : null;
  const id = idShape.test(text) ? Number(text) : null;
  return distinct(await find(on, [accountId, text, hash, id, leadReferenceIn(text)]));
};

// one more than is shown tells whether there are more
const shownMax = foundMax - 1;

/** A match, with what tells it from others. */
export interface DescribedMatch extends Match {
  /** Of the client, else of the lead. */
  readonly name: string | null;
  readonly email: string | null;
  readonly clientReference: string | null;
  readonly leadReference: string;
  readonly page: string;
  readonly isTest: boolean;
  /** Of the conversion, if one was found. */
  readonly conversionReference: string | null;
  readonly amount: Money | null;
  /** Of the conversion, the client or the lead. */
  readonly at: Date;
}

interface Row extends Omit<DescribedMatch, 'amount' | 'name' | 'email'>, StoredContact {
  /** The reference of the lead with which the client was registered, or of the lead. */
  contactOwner: string;
  amount: string | null;
  currency: Currency | null;
}

const describe = statement<Row>(
  `select m."foundBy", m."leadId", m."clientId", m."conversionId",
          case when c.id is null then l.contact else c.contact end as contact,
          (select data_key from account where id = $1) as "dataKey",
          coalesce(c.external_reference, c.test_reference) as "clientReference", l.reference as "leadReference",
          coalesce(own.reference, l.reference) as "contactOwner", ${shownSlug()} as page, coalesce(v.is_test, c.is_test, l.is_test) as "isTest",
          coalesce(v.external_reference, v.test_reference) as "conversionReference", v.amount, v.currency,
          coalesce(v.occurred_at, v.created_at, c.created_at, l.created_at) as at
   from unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) with ordinality
     m ("foundBy", "leadId", "clientId", "conversionId", place)
   join lead l on l.id = m."leadId" and l.account_id = $1
   join landing_page p on p.id = l.landing_page_id
   left join client c on c.id = m."clientId" and c.account_id = $1
   left join lead own on own.id = c.lead_id and own.account_id = $1
   left join conversion v on v.id = m."conversionId" and v.account_id = $1
   order by m.place`,
);

/** Of the client, else of the lead. */
const namesOf = (
  row: Pick<Row, 'contact' | 'contactOwner' | 'dataKey' | 'clientId'>,
  { accountId }: AccountScope,
  contacts: ContactCipher,
): Pick<DescribedMatch, 'name' | 'email'> => {
  const ofLead = { accountId, leadReference: row.contactOwner };
  const contactOf = row.clientId === null ? leadContact : clientContact;
  const { name, email } = contactOf(row, ofLead, contacts);
  return { name, email };
};

interface Found {
  readonly matches: readonly DescribedMatch[];
  /** Whether there are more matches. */
  readonly hasMore: boolean;
}

/** Finds what a text names; see `findMatches`. */
export const findByText = async (
  on: Queryable,
  contacts: ContactCipher,
  scope: AccountScope,
  text: string,
): Promise<Found> => {
  const all = await findMatches(on, contacts, scope, text);
  const shown = all.slice(0, shownMax);
  const columns = [
    shown.map(({ foundBy }) => foundBy),
    shown.map(({ leadId }) => leadId),
    shown.map(({ clientId }) => clientId),
    shown.map(({ conversionId }) => conversionId),
  ];
  const rows = shown.length === 0 ? [] : await describe(on, [scope.accountId, ...columns]);
  const matches = rows.map(({ amount, currency, contact, contactOwner, dataKey, ...row }) => ({
    ...row,
    ...namesOf({ contact, contactOwner, dataKey, ...row }, scope, contacts),
    amount: amount === null || currency === null ? null : { currency, amount },
  }));
  return { matches, hasMore: all.length > shownMax };
};
