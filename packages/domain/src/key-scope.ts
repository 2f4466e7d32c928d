import { z } from 'zod';

/** What an API key may be allowed to do. */
export const keyScopes = ['read', 'register', 'erase'] as const;
export type KeyScope = (typeof keyScopes)[number];

export const keyScopeSchema = z.enum(keyScopes);

/** At least one, each once, in this order. */
export const keyScopesSchema = z
  .array(keyScopeSchema)
  .min(1)
  .transform((given) => keyScopes.filter((scope) => given.includes(scope)));
