import { expiryDaySchema, keyScopeSchema, keyScopesSchema, requiredText } from '@leadback/domain';
import { z } from 'zod';

/** Also of `POST /api/accounts/:account/keys/:id/revoke`: one that is already revoked keeps its time. */
export const apiKey = z.object({
  id: z.number(),
  name: z.string(),
  /** The first characters, which are no secret. */
  prefix: z.string(),
  isTest: z.boolean(),
  scopes: z.array(keyScopeSchema),
  state: z.enum(['active', 'expired', 'revoked']),
  /** ISO 8601, as all times. */
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  /** To the minute; null: never. */
  lastUsedAt: z.string().nullable(),
  /** Null: not known. */
  issuedBy: z.string().nullable(),
});

/** `GET /api/accounts/:account/keys`: newest first, at most 1,000. */
export const listKeysReply = z.object({ items: z.array(apiKey) });

/** `POST /api/accounts/:account/keys` */
export const issueKeyInput = z.object({
  name: requiredText(200),
  /** What is registered with it is a test. */
  isTest: z.boolean(),
  /** What it may do. */
  scopes: keyScopesSchema,
  /** Without it, the key does not expire. */
  expires: expiryDaySchema.optional(),
});
export const issueKeyReply = z.object({
  id: z.number(),
  /** This once. */
  key: z.string(),
  /** Where the API is, such as `https://api.example.com`; null: not known. */
  apiUrl: z.string().nullable(),
});

export type ApiKey = z.output<typeof apiKey>;
export type ListKeysReply = z.output<typeof listKeysReply>;
export type IssueKeyInput = z.input<typeof issueKeyInput>;
export type IssueKeyReply = z.output<typeof issueKeyReply>;
