import { endpoint, endpointWithParameters, nothing } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
import {
  type ApiKey,
  apiKey,
  issueKeyInput,
  issueKeyReply,
  keyPath,
  listKeysInput,
  listKeysReply,
  revokeKeyInput,
} from '../contract/keys.ts';
import type { ListedKey } from '../management-context.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';

const subject = 'Keys';

const stateOf = ({ revokedAt, expiresAt }: ListedKey): ApiKey['state'] => {
  if (revokedAt != null) return 'revoked';
  return expiresAt != null && expiresAt <= new Date() ? 'expired' : 'active';
};

const describe = (key: ListedKey): ApiKey => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  isTest: key.isTest,
  scopes: [...key.scopes],
  state: stateOf(key),
  createdAt: key.createdAt.toISOString(),
  expiresAt: key.expiresAt?.toISOString() ?? null,
  revokedAt: key.revokedAt?.toISOString() ?? null,
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  issuedBy: key.issuedBy ?? null,
});

export const listKeys = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/keys',
  subject,
  summary: 'The API keys of an account',
  description: 'Without the keys themselves, which are not stored.',
  input: listKeysInput,
  headers: nothing,
  replies: { 200: { description: 'The keys.', body: listKeysReply, example: undefined } },
  handle: async ({ response }, { management }) => ({
    status: 200,
    body: { items: (await management.listKeys(scopeOf(response))).toReversed().map(describe) },
  }),
});

export const issueKey = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/keys',
  subject,
  summary: 'Issue an API key',
  description: 'The response shows it once.',
  input: issueKeyInput,
  headers: nothing,
  replies: { 200: { description: 'The key.', body: issueKeyReply, example: undefined } },
  async handle({ input: { name, isTest, scopes, expires: expiresAt }, response }, { management }) {
    const { email: actor } = sessionOf(response).person;
    const { id, key } = await management.issueKey(scopeOf(response), { name, isTest, scopes, expiresAt, actor });
    return { status: 200, body: { id, key, apiUrl: management.apiUrl ?? null } };
  },
});

export const revokeKey = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/keys/:id/revoke',
  subject,
  summary: 'Revoke an API key',
  description: 'For good, within 10 s everywhere.',
  input: revokeKeyInput,
  parameters: keyPath,
  headers: nothing,
  replies: { 200: { description: 'The key.', body: apiKey, example: undefined } },
  async handle({ parameters: { id }, response }, { management }) {
    const { email: actor } = sessionOf(response).person;
    return { status: 200, body: describe(await management.revokeKey(scopeOf(response), { id, actor })) };
  },
});
