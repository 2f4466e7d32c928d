import {
  changeAccount as change,
  createAccount as create,
  checkForgettable,
  findAccount,
  forgetAccount as forget,
  listAccounts as list,
  setAccountStatus,
} from '@leadback/core/accounts/accounts';
import { Account } from '@leadback/db';
import { accountSettingsSchema } from '@leadback/domain';
import { z } from 'zod';
import { accountOptions, accountRow, accountColumns, idSchema, OperatorError } from '../options.ts';
import { ask, isAgreed, type Streams } from '../ask.ts';
import { command, type Row } from '../command.ts';
import { requireSetting } from '../settings.ts';
import { cellsOptionHelp, readCells, overCells, type Reading } from '../cells.ts';

export const changeAccount = command({
  name: 'account change',
  summary: 'change an account; other settings stay. Pending deliveries follow the new settings',
  argument: '<id>',
  options: accountOptions,
  input: accountSettingsSchema.partial().extend({ id: idSchema }),
  async run({ id, ...changes }, { em, actor }) {
    if (Object.values(changes).every((value) => value === undefined))
      throw new OperatorError('nothing to change: give an option, see --help');
    return accountRow(await change(em, { id, ...changes, actor }));
  },
});

export const createAccount = command({
  name: 'account create',
  summary: 'create the account of an advertiser',
  options: [...accountOptions, ['--allow-same-name', 'also if an account has this name already, without a question']],
  input: accountSettingsSchema.extend({ allowSameName: z.boolean().default(false) }),
  async run({ allowSameName, ...settings }, { em, actor, secretsKeys, stdin, stderr }): Promise<Row> {
    const keys = requireSetting('SECRETS_KEY', secretsKeys);
    const others = await em.find(Account, { name: settings.name }, { fields: ['id'], orderBy: { id: 'asc' } });
    const ids = others.map(({ id }) => id);
    if (ids.length > 0 && !allowSameName && stdin.isTTY === true) {
      const question = `An account has this name already: ${ids.join(', ')}. Create another one?`;
      if (!(await isAgreed(question, { stdin, stderr }))) {
        throw new OperatorError('nothing was created; --allow-same-name creates it without a question');
      }
    }
    const row = accountRow(await create(em, { ...settings, actor, secretsKeys: keys }));
    return ids.length > 0 && !allowSameName ? { ...row, sameNameAs: ids } : row;
  },
});

const typedName = (id: number, { stdin, stderr }: Streams): Promise<string> => {
  if (stdin.isTTY !== true) throw new OperatorError('--yes: confirm with the name of the account');
  return ask(`Contact data of account ${id} become unreadable for ever. Type its name: `, { stdin, stderr });
};

export const forgetAccount = command({
  name: 'account forget',
  summary:
    'drop the key of a suspended account, for ever. Contact data of its leads and clients become unreadable, in backups once SECRETS_KEY was rotated and the former key destroyed',
  argument: '<id>',
  options: [['--yes <name>', 'confirm with the name of the account, instead of typing it']],
  input: z.object({ id: idSchema, yes: z.string().optional() }),
  async run({ id, yes }, { pool, actor, stdin, stderr }) {
    const toForget = { id, name: yes ?? (await typedName(id, { stdin, stderr })), actor };
    await checkForgettable(pool, toForget);
    await forget(pool, toForget);
    return { id, forgotten: true };
  },
});

/** With the cell in front. A cell that does not respond is a row with the problem. */
const rowsOf = (reading: Reading<readonly Row[]>): readonly Row[] =>
  'problem' in reading
    ? [{ cell: reading.name, problem: reading.problem }]
    : reading.result.map((row) => ({ cell: reading.name, problem: null, ...row }));

export const listAccounts = command({
  name: 'account list',
  summary: 'list all accounts; with --cells those of all cells, and exit status 1 if a cell does not respond',
  options: [['--cells [file]', cellsOptionHelp]],
  brief: ['cell', 'problem', 'id', 'name', 'status', 'country', 'currencies', 'createdAt'],
  columns: accountColumns,
  input: z.object({ cells: z.union([z.string(), z.literal(true)]).optional() }),
  async runOffline({ cells }, { env }) {
    if (cells === undefined) return undefined;
    const listed = await readCells(env, cells === true ? undefined : cells);
    const readings = await overCells(listed, async (database) => (await list(database.em())).map(accountRow));
    return readings.flatMap(rowsOf);
  },
  run: async (_input, { em }): Promise<readonly Row[]> => (await list(em)).map(accountRow),
  isBad: ({ problem }) => typeof problem === 'string',
});

export const suspendAccount = command({
  name: 'account suspend',
  summary: 'reject all keys of an account, within 10 s everywhere; its pending deliveries are still sent',
  argument: '<id>',
  options: [
    ['--pages', 'in a case of abuse: nobody sees its landing pages either, within seconds, until it is active again'],
  ],
  input: z.object({ id: idSchema, pages: z.boolean().default(false) }),
  async run({ id, pages }, { em, actor }) {
    // copies: the next call changes the account
    const { status: statusBefore, hidesPages: hidBefore } = await findAccount(em, id);
    const { status, hidesPages } = await setAccountStatus(em, { id, status: 'suspended', hidesPages: pages, actor });
    const isChanged = statusBefore !== status || hidBefore !== hidesPages;
    return { id, status, ...(hidesPages && { pages: 'hidden' }), ...(!isChanged && { note: 'was suspended already' }) };
  },
});

export const activateAccount = command({
  name: 'account activate',
  summary: 'accept the keys of an account again, and show its pages if they were hidden',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, actor }) {
    const { status: before } = await findAccount(em, id);
    const { status } = await setAccountStatus(em, { id, status: 'active', actor });
    return { id, status, ...(before === status && { note: 'was active already' }) };
  },
});
