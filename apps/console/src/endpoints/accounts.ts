import { endpoint, nothing } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
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
import type { ListedAccount } from '../management-context.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';

const subject = 'Accounts';

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

export const listAccounts = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts',
  subject,
  summary: 'All accounts',
  description: 'With their settings.',
  input: listAccountsInput,
  headers: nothing,
  replies: { 200: { description: 'The accounts.', body: listAccountsReply, example: undefined } },
  async handle({ input: { find } }, { management }) {
    const accounts = await management.listAccounts({ find, limit: listedAccountsMax + 1 });
    const items = accounts.slice(0, listedAccountsMax).map(describe);
    return { status: 200, body: { items, isPartial: accounts.length > listedAccountsMax } };
  },
});

export const createAccount = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts',
  subject,
  summary: 'Create an account',
  description: 'Of an advertiser.',
  input: createAccountInput,
  headers: nothing,
  replies: { 200: { description: 'The account.', body: account, example: undefined } },
  async handle({ input, response }, { management }) {
    const { email: actor } = sessionOf(response).person;
    return { status: 200, body: describe(await management.createAccount({ ...input, actor })) };
  },
});

export const changeAccount = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/settings',
  subject,
  summary: 'Change an account',
  description: 'Pending deliveries follow the new settings.',
  input: changeAccountInput,
  headers: nothing,
  replies: { 200: { description: 'The account.', body: account, example: undefined } },
  async handle({ input, response }, { management }) {
    const { email: actor } = sessionOf(response).person;
    return { status: 200, body: describe(await management.changeAccount(scopeOf(response), { ...input, actor })) };
  },
});

const replies = { 200: { description: 'The account.', body: account, example: undefined } };

export const suspendAccount = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/suspend',
  subject,
  summary: 'Suspend an account',
  description: 'Rejects its keys within 10 s; pending deliveries are still sent.',
  input: suspendAccountInput,
  headers: nothing,
  replies,
  async handle({ input: { pages: hidesPages }, response }, { management }) {
    const { email: actor } = sessionOf(response).person;
    const wanted = { status: 'suspended', hidesPages, actor } as const;
    return { status: 200, body: describe(await management.setAccountStatus(scopeOf(response), wanted)) };
  },
});

export const activateAccount = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/activate',
  subject,
  summary: 'Activate an account again',
  description: 'Its keys work again within 10 s, and its pages are shown if they were hidden.',
  input: activateAccountInput,
  headers: nothing,
  replies,
  async handle({ response }, { management }) {
    const { email: actor } = sessionOf(response).person;
    const wanted = { status: 'active', actor } as const;
    return { status: 200, body: describe(await management.setAccountStatus(scopeOf(response), wanted)) };
  },
});
