import { changeAccount, createAccount, listAccounts, setAccountStatus } from '@leadback/core/accounts/accounts';
import { readAccountFigures } from '@leadback/core/accounts/figures';
import { nothing } from '@leadback/server/http';
import {
  type Account,
  account,
  accountFiguresReply,
  changeAccountInput,
  createAccountInput,
  listAccountsInput,
  listAccountsReply,
  listedAccountsMax,
  suspendAccountInput,
} from '../contract/accounts.ts';
import { acrossAccounts, ofAccount } from './guard.ts';

const describe = ({
  id,
  name,
  status,
  country,
  rateLimit,
  gpcReading,
  erasedPersons,
  attribution,
  eventIdPrefix,
  currencies,
  timeZone,
  hidesPages,
  createdAt,
}: Awaited<ReturnType<typeof listAccounts>>[number]): Account => ({
  id,
  name,
  status,
  hidesPages,
  country,
  rateLimit,
  gpc: gpcReading,
  erased: erasedPersons,
  attribution,
  eventIdPrefix,
  currencies: [...currencies],
  timeZone,
  createdAt: createdAt.toISOString(),
});

export const accountEndpoints = [
  acrossAccounts('manage-accounts', 'reads', {
    method: 'get',
    path: '/accounts',
    input: listAccountsInput,
    reply: listAccountsReply,
    async handle({ input: { find } }, { em }) {
      const accounts = await listAccounts(em(), { find, limit: listedAccountsMax + 1 });
      const items = accounts.slice(0, listedAccountsMax).map(describe);
      return { items, isPartial: accounts.length > listedAccountsMax };
    },
  }),

  acrossAccounts('manage-accounts', 'reads', {
    method: 'get',
    path: '/accounts/figures',
    input: listAccountsInput,
    reply: accountFiguresReply,
    async handle({ input: { find } }, { em, pool }) {
      const accounts = await listAccounts(em(), { find, limit: listedAccountsMax });
      const figures = await readAccountFigures(
        pool,
        accounts.map(({ id }) => id),
      );
      return { items: figures.map(({ revenue, ...others }) => ({ ...others, revenue: [...revenue] })) };
    },
  }),

  acrossAccounts('manage-accounts', 'fresh', {
    method: 'post',
    path: '/accounts',
    input: createAccountInput,
    reply: account,
    handle: async ({ input, actor }, { em, secretsKeys }) =>
      describe(await createAccount(em(), { ...input, actor, secretsKeys })),
  }),

  // these also when it is suspended
  ofAccount('manage-accounts', 'fresh', {
    method: 'post',
    path: '/accounts/:account/settings',
    changes: false,
    input: changeAccountInput,
    reply: account,
    handle: async ({ input, scope: { accountId: id }, actor }, { em }) =>
      describe(await changeAccount(em(), { ...input, id, actor })),
  }),

  ofAccount('manage-accounts', 'fresh', {
    method: 'post',
    path: '/accounts/:account/suspend',
    changes: false,
    input: suspendAccountInput,
    reply: account,
    handle: async ({ input: { pages: hidesPages }, scope: { accountId: id }, actor }, { em }) =>
      describe(await setAccountStatus(em(), { id, status: 'suspended', hidesPages, actor })),
  }),

  ofAccount('manage-accounts', 'fresh', {
    method: 'post',
    path: '/accounts/:account/activate',
    changes: false,
    input: nothing,
    reply: account,
    handle: async ({ scope: { accountId: id }, actor }, { em }) =>
      describe(await setAccountStatus(em(), { id, status: 'active', actor })),
  }),
];
