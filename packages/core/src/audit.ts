import type { AccountId } from '@leadback/domain';
import { preparedStatement, type Queryable, statement } from '@leadback/db';

interface AuditRecord {
  /** The email of a person, or the user of the command line. */
  readonly actor: string;
  /** `<noun>.<verb>`, such as `connection.pause`. */
  readonly action: string;
  /** Undefined: the action is of no account. */
  readonly accountId?: AccountId | undefined;
  /** What was acted on, such as `connection 7`. */
  readonly target: string;
  /** Never secrets or personal data of clients. */
  readonly details?: Readonly<Record<string, unknown>>;
}

// without `returning`: the role of the apps may add entries and not read them
const add = preparedStatement(
  'add-audit-entry',
  'insert into audit_entry (actor, action, account_id, target, details) values ($1, $2, $3, $4, $5)',
);

/** Adds an entry to the audit log. Call it in the transaction of the action, so that there is never one without the other. */
export const audit = async (
  tx: Queryable,
  { actor, action, accountId, target, details = {} }: AuditRecord,
): Promise<void> => {
  await add(tx, [actor, action, accountId ?? null, target, JSON.stringify(details)]);
};

const addView = preparedStatement(
  'add-view-to-audit',
  `insert into audit_entry (actor, action, account_id, target) values ($1, 'person.viewed', $2, $3) on conflict do nothing`,
);

/** Adds that somebody saw personal data of an account: one entry for each person, account and day, which an index decides. */
export const auditView = async (on: Queryable, actor: string, accountId: AccountId): Promise<void> => {
  await addView(on, [actor, accountId, `account ${accountId}`]);
};

interface AuditFilter {
  /** Undefined: entries of all accounts, and those of none. */
  readonly accountId?: AccountId | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Days in UTC, both inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only entries before the one with this id. */
  readonly after?: number | undefined;
  readonly limit: number;
}

interface ListedAuditEntry {
  readonly id: number;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly accountId: AccountId | null;
  /** Null: it is of no account. */
  readonly accountName: string | null;
  readonly target: string;
  readonly details: unknown;
}

export interface AuditPage {
  /** May be fewer than the limit although there are more. */
  readonly items: ListedAuditEntry[];
  /** For `after`; undefined if there are no more. */
  readonly next: number | undefined;
}

interface Row extends ListedAuditEntry {
  readonly isMatch: boolean;
  /** Whether the search ended here, although there may be more. */
  readonly isEnd: boolean;
}

// The parameters: account, the entry before, how many are wanted, how many may be read, days, actor, action.
const list = statement<Row>(
  `select e.id, e.at, e.actor, e.action, e.account_id as "accountId", a.name as "accountName", e.target, e.details,
          e.is_match as "isMatch", e.place = $4::int as "isEnd"
   from (
     select *, row_number() over (order by at desc, id desc) as place,
            ($7::text is null or actor = $7) and ($8::text is null or action = $8) as is_match
     from audit_entry
     where ($1::bigint is null or account_id = $1)
       and (at, id) < (coalesce((select at from audit_entry where id = $2::bigint), 'infinity'), coalesce($2::bigint, 0))
       and at >= coalesce($5::date, '-infinity') and at < coalesce($6::date + 1, 'infinity')
     order by at desc, id desc limit $4::int
   ) e
   left join account a on a.id = e.account_id
   where e.is_match or e.place = $4::int
   order by e.at desc, e.id desc limit $3`,
);

const readMax = 20_000;

/** A page of the audit log, newest first. A search reads at most 20,000 entries. */
export const listAudit = async (
  on: Queryable,
  { accountId, actor, action, from, to, after, limit }: AuditFilter,
): Promise<AuditPage> => {
  const narrowed = [from ?? null, to ?? null, actor ?? null, action ?? null];
  // one more than the page has tells whether there are more
  const rows = await list(on, [accountId ?? null, after ?? null, limit + 1, readMax, ...narrowed]);
  const matches = rows.filter(({ isMatch }) => isMatch);
  const page = matches.slice(0, limit);
  return {
    items: page.map(({ isMatch: _isMatch, isEnd: _isEnd, ...entry }) => entry),
    next: matches.length > limit ? page.at(-1)?.id : rows.find(({ isEnd }) => isEnd)?.id,
  };
};
