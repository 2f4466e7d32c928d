import { Account, type EntityManager, transaction, type Pool, LandingPage, statement } from '@leadback/db';
import { emptiedRow } from '../imports/store.ts';
import { type AccountId, type AccountSettings, type AccountStatus, standardCurrencies } from '@leadback/domain';
import { ActionRefused } from '../people/access.ts';
import { audit } from '../audit.ts';
import { changeTimeZone, knownTimeZone } from './days.ts';
import { differences } from '../people/people.ts';
import { LockMode } from '@mikro-orm/core';
import { accountMasterKeys, sealNewAccountKey, type SecretsKeys } from '@leadback/domain/keys';

type Changes = { readonly [Field in keyof AccountSettings]?: AccountSettings[Field] | undefined };

interface AccountChange extends Changes {
  readonly id: AccountId;
  readonly actor: string;
}

const settingsOf = ({
  name,
  country,
  rateLimit,
  gpcReading,
  erasedPersons,
  attribution,
  eventIdPrefix,
  currencies,
  timeZone,
}: Account) => ({
  name,
  country,
  rateLimit,
  gpc: gpcReading,
  erased: erasedPersons,
  attribution,
  eventIdPrefix,
  currencies,
  timeZone,
});

/** Changes the given settings of an account; others stay. A change of its time zone counts its days again. */
export const changeAccount = (em: EntityManager, { id, actor, timeZone, ...given }: AccountChange): Promise<Account> =>
  transaction(em, async (tx) => {
    const timeZoneBefore = timeZone === undefined ? undefined : await changeTimeZone(tx, id, timeZone);
    const account = await tx.findOne(Account, id, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
    if (!account) throw new ActionRefused('not-found', `there is no account ${id}`);
    const before = { ...settingsOf(account), ...(timeZoneBefore !== undefined && { timeZone: timeZoneBefore }) };
    const {
      name = before.name,
      country = before.country,
      rateLimit = before.rateLimit,
      gpc = before.gpc,
      erased = before.erased,
      attribution = before.attribution,
      eventIdPrefix = before.eventIdPrefix,
      currencies = before.currencies,
    } = given;
    tx.assign(account, {
      name,
      country,
      rateLimit,
      gpcReading: gpc,
      erasedPersons: erased,
      attribution,
      eventIdPrefix,
      currencies,
    });
    const details = differences(before, settingsOf(account));
    if (Object.keys(details).length > 0)
      await audit(tx, { actor, action: 'account.change', accountId: id, target: `account ${id}`, details });
    return account;
  });

interface Creation extends AccountSettings {
  readonly actor: string;
  /** Encrypt the account's own key. */
  readonly secretsKeys: SecretsKeys;
}

/** Creates an account with a key of its own. What is not given has a default. */
export const createAccount = (em: EntityManager, { actor, secretsKeys, ...given }: Creation): Promise<Account> =>
  transaction(em, async (tx) => {
    const { name, country = 'AR', rateLimit = 200, gpc = 'respect', erased = 'allow', attribution = 'last' } = given;
    const { eventIdPrefix = '', currencies = [...standardCurrencies] } = given;
    const timeZone = await knownTimeZone(tx, given.timeZone ?? 'UTC');
    const account = tx.create(Account, {
      name,
      country,
      rateLimit,
      gpcReading: gpc,
      erasedPersons: erased,
      attribution,
      eventIdPrefix,
      currencies,
      timeZone,
    });
    await tx.flush();
    account.dataKey = sealNewAccountKey(accountMasterKeys(secretsKeys), account.id);
    const details = { name, country, rateLimit, gpc, erased, attribution, eventIdPrefix, currencies, timeZone };
    await audit(tx, {
      actor,
      action: 'account.create',
      accountId: account.id,
      target: `account ${account.id}`,
      details,
    });
    return account;
  });

const read = statement<{ name: string; status: AccountStatus }>(
  'select name, status from account where id = $1 for no key update',
);

const dropKey = statement('update account set data_key = null where id = $1');

const emptyImports = statement(
  `update import_row r set ${emptiedRow} from import i where i.account_id = $1 and r.import_id = i.id`,
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

const readAccount = statement<{ name: string; status: AccountStatus }>(
  'select name, status from account where id = $1',
);

/** Throws what `forgetAccount` would throw. Changes nothing. */
export const checkForgettable = async (pool: Pool, { id, name }: AccountToForget): Promise<void> => {
  const [account] = await readAccount(pool, [id]);
  refuse(id, account, name);
};

/**
 * Drops the key of a suspended account, for ever: encrypted contact data of its leads, clients and lists become
 * unreadable, and none is written any more. Empties the rows of its imported files, which are not encrypted.
 */
export const forgetAccount = (pool: Pool, { id, name, actor }: AccountToForget): Promise<void> =>
  transaction(pool, async (on) => {
    const [account] = await read(on, [id]);
    refuse(id, account, name);
    await dropKey(on, [id]);
    await emptyImports(on, [id]);
    await audit(on, { actor, action: 'account.forget', accountId: id, target: `account ${id}`, details: { name } });
  });

interface Wanted {
  /** A part of the name. */
  readonly find?: string | undefined;
  /** Default: all. */
  readonly limit?: number;
}

const pattern = (part: string) => `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** All accounts, in the order of their creation. */
export const listAccounts = (em: EntityManager, { find, limit }: Wanted = {}): Promise<Account[]> =>
  em.find(Account, find === undefined ? {} : { name: { $ilike: pattern(find) } }, {
    orderBy: { id: 'asc' },
    ...(limit !== undefined && { limit }),
  });

const actions: Readonly<Record<AccountStatus, string>> = { suspended: 'account.suspend', active: 'account.activate' };

interface WantedStatus {
  readonly id: AccountId;
  readonly status: AccountStatus;
  readonly actor: string;
  /** Of a suspended account: whether nobody sees its pages from now on. */
  readonly hidesPages?: boolean | undefined;
}

/** Suspends an account, or activates it again, with its pages. */
export const setAccountStatus = (
  em: EntityManager,
  { id, status, actor, hidesPages = false }: WantedStatus,
): Promise<Account> =>
  transaction(em, async (tx) => {
    const account = await tx.findOne(Account, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!account) throw new ActionRefused('not-found', `there is no account ${id}`);
    const { name, status: before } = account;
    const hides = status === 'suspended' && (hidesPages || account.hidesPages);
    const isSeen = hides === account.hidesPages;
    if (before === status && isSeen) return account;
    account.status = status;
    account.hidesPages = hides;
    if (!isSeen) await tx.nativeUpdate(LandingPage, { account: id }, { isHidden: hides });
    const details = {
      name,
      ...(before !== status && { status: { before, after: status } }),
      ...(!isSeen && { pages: hides ? 'hidden' : 'shown' }),
    };
    await audit(tx, { actor, action: actions[status], accountId: id, target: `account ${id}`, details });
    return account;
  });

const noAccount = (id: number) => new ActionRefused('not-found', `there is no account ${id}`);

/** As it is now, and nobody changes it until the transaction ends. */
export const holdAccount = async (em: EntityManager, id: number): Promise<Account> => {
  const account = await em.findOne(Account, id, { lockMode: LockMode.PESSIMISTIC_READ, refresh: true });
  if (!account) throw noAccount(id);
  return account;
};

export const findAccount = async (em: EntityManager, id: number): Promise<Account> => {
  const account = await em.findOne(Account, id);
  if (!account) throw noAccount(id);
  return account;
};
