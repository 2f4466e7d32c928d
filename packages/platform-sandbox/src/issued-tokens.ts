import { randomBytes } from 'node:crypto';

/** Access tokens that a platform's OAuth issues. Tokens that it did not issue are valid and never expire, for tests. */
export const createIssuedTokens = <Owner>(now: () => number, prefix: string, lifeSeconds: number) => {
  const issued = new Map<string, { readonly expiresAtMs: number; readonly owner: Owner }>();
  return {
    issue: (owner: Owner): string => {
      const token = prefix + randomBytes(24).toString('base64url');
      issued.set(token, { expiresAtMs: now() + lifeSeconds * 1000, owner });
      return token;
    },
    isExpired: (token: string): boolean => (issued.get(token)?.expiresAtMs ?? Number.POSITIVE_INFINITY) <= now(),
    ownerOf: (token: string): Owner | undefined => issued.get(token)?.owner,
  };
};
