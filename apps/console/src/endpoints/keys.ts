import { nothing } from '@leadback/server/http';
import { issueKey, listKeys, revokeKey } from '@leadback/core/api-keys/keys';
import { type ApiKey, apiKey, issueKeyInput, issueKeyReply, listKeysReply } from '../contract/keys.ts';
import { ofAccount, ofId } from './guard.ts';

type ListedKey = Awaited<ReturnType<typeof listKeys>>[number];

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

export const keyEndpoints = [
  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/keys',
    input: nothing,
    reply: listKeysReply,
    handle: async ({ scope: { accountId } }, { em }) => ({
      items: (await listKeys(em(), accountId)).toReversed().map(describe),
    }),
  }),

  ofAccount('manage-keys', 'fresh', {
    method: 'post',
    path: '/accounts/:account/keys',
    input: issueKeyInput,
    reply: issueKeyReply,
    async handle({ input: { expires: expiresAt, ...wanted }, scope: { accountId }, actor }, { em, apiUrl }) {
      const { id, key } = await issueKey(em(), { ...wanted, accountId, expiresAt, actor });
      return { id, key, apiUrl: apiUrl ?? null };
    },
  }),

  ofAccount('manage-keys', 'fresh', {
    method: 'post',
    path: '/accounts/:account/keys/:id/revoke',
    input: ofId,
    reply: apiKey,
    handle: async ({ input: { id }, scope: { accountId }, actor }, { em }) =>
      describe(await revokeKey(em(), { id, accountId, actor })),
  }),
];
