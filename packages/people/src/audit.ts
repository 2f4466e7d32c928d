import type { AccountId } from '@leadback/domain';
import { type EntityManager, type PoolClient, preparedStatement } from '@leadback/db';

export interface AuditRecord {
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

/** Adds an entry to the audit log. Call it in the transaction of the action, so that there is never one without the other. */
export const audit = async (
  em: EntityManager,
  { actor, action, accountId, target, details = {} }: AuditRecord,
): Promise<void> => {
  // without `returning`: the role of the apps may add entries and not read them
  await em.execute(
    'insert into audit_entry (actor, action, account_id, target, details) values (?, ?, ?, ?, ?::jsonb)',
    [actor, action, accountId ?? null, target, JSON.stringify(details)],
  );
};

/** Adds that somebody saw personal data of an account: one entry for each person, account and day, which an index decides. */
export const auditView = async (em: EntityManager, actor: string, accountId: AccountId): Promise<void> => {
  await em.execute(
    `insert into audit_entry (actor, action, account_id, target) values (?, 'person.viewed', ?, ?) on conflict do nothing`,
    [actor, accountId, `account ${accountId}`],
  );
};

const add = preparedStatement(
  'add-audit-entry',
  'insert into audit_entry (actor, action, account_id, target, details) values ($1, $2, $3, $4, $5)',
);

/** The same on the connection of a transaction. */
export const auditOn = async (
  on: PoolClient,
  { actor, action, accountId, target, details = {} }: AuditRecord,
): Promise<void> => {
  await add(on, [actor, action, accountId ?? null, target, JSON.stringify(details)]);
};
