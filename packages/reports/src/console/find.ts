import type { Currency } from '@leadback/domain';
import { type Contacts, type Pool, preparedStatement } from '@leadback/db';
import type { AccountScope } from '@leadback/people';
import { clientContact, leadContact } from '../stored-contact.ts';
import { findMatches, foundMax, type Match } from './find-matches.ts';
import type { Money } from './measures.ts';

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

interface Row extends Omit<DescribedMatch, 'amount'> {
  contact: Buffer | null;
  dataKey: Buffer | null;
  amount: string | null;
  currency: Currency | null;
}

const describe = preparedStatement<Row>(
  'describe-matches',
  `select m."foundBy", m."leadId", m."clientId", m."conversionId",
          case when c.id is null then l.name else c.name end as name,
          case when c.id is null then l.email else c.email end as email,
          case when c.id is null then l.contact else c.contact end as contact,
          (select data_key from account where id = $1) as "dataKey",
          coalesce(c.external_reference, c.test_reference) as "clientReference", l.reference as "leadReference",
          p.slug as page, coalesce(v.is_test, c.is_test, false) as "isTest",
          coalesce(v.external_reference, v.test_reference) as "conversionReference", v.amount, v.currency,
          coalesce(v.occurred_at, v.created_at, c.created_at, l.created_at) as at
   from unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) with ordinality
     m ("foundBy", "leadId", "clientId", "conversionId", place)
   cross join lateral (select * from lead where id = m."leadId" and account_id + 0 = $1 limit 1) l
   cross join lateral (select slug from landing_page where id = l.landing_page_id limit 1) p
   left join lateral (select * from client where id = m."clientId" and account_id + 0 = $1 limit 1) c on true
   left join lateral (select * from conversion where id = m."conversionId" and account_id + 0 = $1 limit 1) v on true
   order by m.place`,
);

/** Of the client, else of the lead. */
const namesOf = (
  row: Pick<Row, 'name' | 'email' | 'contact' | 'dataKey' | 'clientId' | 'leadReference'>,
  { accountId }: AccountScope,
  contacts: Contacts,
): Pick<DescribedMatch, 'name' | 'email'> => {
  const ofLead = { accountId, leadReference: row.leadReference };
  const { name, email } =
    row.clientId === null
      ? leadContact({ ...row, phone: null }, ofLead, contacts)
      : clientContact({ ...row, phoneNumber: null }, ofLead, contacts);
  return { name, email };
};

export interface Found {
  readonly matches: readonly DescribedMatch[];
  /** Whether there are more matches. */
  readonly hasMore: boolean;
}

/** Finds what a text names; see `findMatches`. */
export type Finder = (scope: AccountScope, text: string) => Promise<Found>;

export const finder =
  (pool: Pool, contacts: Contacts): Finder =>
  async (scope, text) => {
    const all = await findMatches(pool, scope, text, contacts);
    const shown = all.slice(0, shownMax);
    const columns = [
      shown.map(({ foundBy }) => foundBy),
      shown.map(({ leadId }) => leadId),
      shown.map(({ clientId }) => clientId),
      shown.map(({ conversionId }) => conversionId),
    ];
    const rows = shown.length === 0 ? [] : await describe(pool, [scope.accountId, ...columns]);
    const matches = rows.map(({ amount, currency, contact, dataKey, ...row }) => ({
      ...row,
      ...namesOf({ contact, dataKey, ...row }, scope, contacts),
      amount: amount === null || currency === null ? null : { currency, amount },
    }));
    return { matches, hasMore: all.length > shownMax };
  };
