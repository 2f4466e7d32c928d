import { endpoint, nothing } from '@leadback/http';
import type { AccountStatus } from '@leadback/domain';
import type { ConsoleContext } from '../context.ts';
import {
  type Account,
  account,
  accountStatusInput,
  changeAccountInput,
  createAccountInput,
  listAccountsInput,
  listAccountsReply,
  listedAccountsMax,
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
  createdAt,
}: ListedAccount): Account => ({
  id,
  name,
  status,
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

const statusEndpoint = (verb: string, status: AccountStatus, summary: string, description: string) =>
  endpoint<ConsoleContext>()({
    method: 'post',
    path: `/accounts/:account/${verb}`,
    subject,
    summary,
    description,
    input: accountStatusInput,
    headers: nothing,
    replies: { 200: { description: 'The account.', body: account, example: undefined } },
    async handle({ response }, { management }) {
      const { email: actor } = sessionOf(response).person;
      return { status: 200, body: describe(await management.setAccountStatus(scopeOf(response), { status, actor })) };
    },
  });

export const suspendAccount = statusEndpoint(
  'suspend',
  'suspended',
  'Suspend an account',
  'Rejects its keys within 10 s; pending deliveries are still sent.',
);

export const activateAccount = statusEndpoint(
  'activate',
  'active',
  'Activate an account again',
  'Its keys work again within 10 s.',
);
