import type { ListedAccount } from '../context.ts';
import {
  type Account,
  account,
  activateAccountInput,
  changeAccountInput,
  createAccountInput,
  listAccountsInput,
  listAccountsReply,
  listedAccountsMax,
  suspendAccountInput,
} from '../contract/accounts.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { endpoint } from './guard.ts';

const describe = ({
  id,
  name,
  status,
  country,
  rateLimit,
  gpcReading,
  erasedPersons,
  hidesPages,
  createdAt,
}: ListedAccount): Account => ({
  id,
  name,
  status,
  hidesPages,
  country,
  rateLimit,
  gpc: gpcReading,
  erased: erasedPersons,
  createdAt: createdAt.toISOString(),
});

export const listAccounts = endpoint({
  method: 'get',
  path: '/accounts',
  input: listAccountsInput,
  replies: { 200: { body: listAccountsReply } },
  async handle({ input: { find } }, { management }) {
    const accounts = await management.listAccounts({ find, limit: listedAccountsMax + 1 });
    const items = accounts.slice(0, listedAccountsMax).map(describe);
    return { status: 200, body: { items, isPartial: accounts.length > listedAccountsMax } };
  },
});

export const createAccount = endpoint({
  method: 'post',
  path: '/accounts',
  input: createAccountInput,
  replies: { 200: { body: account } },
  async handle({ input, response }, { management }) {
    const { email: actor } = sessionOf(response).person;
    return { status: 200, body: describe(await management.createAccount({ ...input, actor })) };
  },
});

export const changeAccount = endpoint({
  method: 'post',
  path: '/accounts/:account/settings',
  input: changeAccountInput,
  replies: { 200: { body: account } },
  async handle({ input, response }, { management }) {
    const { email: actor } = sessionOf(response).person;
    return { status: 200, body: describe(await management.changeAccount(scopeOf(response), { ...input, actor })) };
  },
});

const replies = { 200: { body: account } };

export const suspendAccount = endpoint({
  method: 'post',
  path: '/accounts/:account/suspend',
  input: suspendAccountInput,
  replies,
  async handle({ input: { pages: hidesPages }, response }, { management }) {
    const { email: actor } = sessionOf(response).person;
    const wanted = { status: 'suspended', hidesPages, actor } as const;
    return { status: 200, body: describe(await management.setAccountStatus(scopeOf(response), wanted)) };
  },
});

export const activateAccount = endpoint({
  method: 'post',
  path: '/accounts/:account/activate',
  input: activateAccountInput,
  replies,
  async handle({ response }, { management }) {
    const { email: actor } = sessionOf(response).person;
    const wanted = { status: 'active', actor } as const;
    return { status: 200, body: describe(await management.setAccountStatus(scopeOf(response), wanted)) };
  },
});
