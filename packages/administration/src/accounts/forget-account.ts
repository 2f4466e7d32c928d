import { inTransaction, type Pool, preparedStatement } from '@leadback/db';
import type { AccountId, AccountStatus } from '@leadback/domain';
import { ActionRefused, auditOn } from '@leadback/people';

const read = preparedStatement<{ name: string; status: AccountStatus }>(
  'lock-account-to-forget',
  'select name, status from account where id = $1 for no key update',
);

// with the flag, nothing is written of persons until the account has a key again
const dropKey = preparedStatement(
  'drop-account-key',
  'update account set data_key = null, encrypts_contacts = true where id = $1',
);

const emptyImports = preparedStatement(
  'empty-imports-of-account',
  `update import_row r
   set cells = (select coalesce(jsonb_agg(''::text), '[]') from jsonb_array_elements(r.cells)),
       trial_reference = null, trial_event_id = null, outcome = coalesce(r.outcome, 'refused'),
       message = case when r.outcome is null then 'erased' else r.message end
   from (select id from import where account_id = $1) i
   where r.import_id = i.id`,
);

interface AccountToForget {
  readonly id: AccountId;
  /** What the person typed, as a confirmation. */
  readonly name: string;
  readonly actor: string;
}

/** Throws `ActionRefused` if the account is not suspended or has another name. */
const refuse = (id: AccountId, account: { name: string; status: AccountStatus } | undefined, typed: string): void => {
  if (!account) throw new ActionRefused('not-found', `there is no account ${id}`);
  if (account.status !== 'suspended') {
    throw new ActionRefused('conflict', `account ${id} is active; run \`account suspend ${id}\` first`);
  }
  if (account.name !== typed) {
    throw new ActionRefused('invalid', `account ${id} has another name; nothing was changed`);
  }
};

const readAccount = preparedStatement<{ name: string; status: AccountStatus }>(
  'read-account-to-forget',
  'select name, status from account where id = $1',
);

/** Throws what `forgetAccount` would throw. Changes nothing. */
export const checkForgettable = async (pool: Pool, { id, name }: AccountToForget): Promise<void> => {
  const [account] = await readAccount(pool, [id]);
  refuse(id, account, name);
};

/**
 * Drops the key of a suspended account, for ever: encrypted contact data of its leads, clients and lists become
 * unreadable. Empties the rows of its imported files, which are not encrypted. Contact data that is not encrypted must be
 * encrypted before.
 */
export const forgetAccount = (pool: Pool, { id, name, actor }: AccountToForget): Promise<void> =>
  inTransaction(pool, async (on) => {
    const [account] = await read(on, [id]);
    refuse(id, account, name);
    await dropKey(on, [id]);
    await emptyImports(on, [id]);
    await auditOn(on, { actor, action: 'account.forget', accountId: id, target: `account ${id}`, details: { name } });
  });
