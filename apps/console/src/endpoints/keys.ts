import type { ListedKey } from '../context.ts';
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
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { endpoint, endpointWithParameters } from './guard.ts';

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

export const listKeys = endpoint({
  method: 'get',
  path: '/accounts/:account/keys',
  input: listKeysInput,
  replies: { 200: { body: listKeysReply } },
  handle: async ({ response }, { management }) => ({
    status: 200,
    body: { items: (await management.listKeys(scopeOf(response))).toReversed().map(describe) },
  }),
});

export const issueKey = endpoint({
  method: 'post',
  path: '/accounts/:account/keys',
  input: issueKeyInput,
  replies: { 200: { body: issueKeyReply } },
  async handle({ input: { name, isTest, scopes, expires: expiresAt }, response }, { management }) {
    const { email: actor } = sessionOf(response).person;
    const { id, key } = await management.issueKey(scopeOf(response), { name, isTest, scopes, expiresAt, actor });
    return { status: 200, body: { id, key, apiUrl: management.apiUrl ?? null } };
  },
});

export const revokeKey = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/keys/:id/revoke',
  input: revokeKeyInput,
  parameters: keyPath,
  replies: { 200: { body: apiKey } },
  async handle({ parameters: { id }, response }, { management }) {
    const { email: actor } = sessionOf(response).person;
    return { status: 200, body: describe(await management.revokeKey(scopeOf(response), { id, actor })) };
  },
});
