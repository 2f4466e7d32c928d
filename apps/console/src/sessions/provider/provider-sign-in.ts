import type { Database } from '@leadback/db';
import { newChallenge, secondFactorKeys, signInByCode, signInByProvider, takeChallenge } from '@leadback/people';
import type { SecretsKeys } from '@leadback/secrets';
import { z } from 'zod';
import { identityProvider, providerChecks } from './identity-provider.ts';
import type { ProviderOptions } from './settings.ts';

/** Where the provider sends the browser back to. Its page asks for the session, so that the cookie may be strict. */
const returnPath = '/sign-in/provider';

const atProvider = { purpose: 'provider' } as const;
const beforeCode = { purpose: 'provider-code' } as const;
const pending = z.object({
  personId: z.number(),
  link: z.object({ issuer: z.string(), subject: z.string() }).optional(),
});
type Pending = z.output<typeof pending>;

interface Options {
  readonly database: Pick<Database, 'em' | 'pool'>;
  readonly secretsKeys: SecretsKeys;
  readonly consoleUrl: string;
  readonly provider: ProviderOptions;
  readonly onUnavailable: (error: unknown) => void;
}

/** Signing in with the identity provider. `attempt`: what only the browser that began has, in its cookie. */
export const providerSignIn = ({ database, secretsKeys, consoleUrl, provider, onUnavailable }: Options) => {
  const { em, pool } = database;
  const keys = secondFactorKeys(secretsKeys);
  const identity = identityProvider(provider, new URL(returnPath, consoleUrl).href, onUnavailable);
  const askCode = async ({ personId, link }: Pending) => ({
    kind: 'code-needed' as const,
    attempt: await newChallenge(pool, beforeCode, { personId, ...(link && { link }) }),
  });
  return {
    name: provider.name,

    async begin(): Promise<{ url: string; attempt: string }> {
      const { url, checks } = await identity.begin();
      return { url, attempt: await newChallenge(pool, atProvider, checks) };
    },

    /** Undefined: the provider vouches for nobody who was invited, or this browser has not begun. */
    async finish(attempt: string, query: string, device: string | undefined) {
      const { data: checks } = providerChecks.safeParse(await takeChallenge(pool, attempt, atProvider));
      const vouched = checks && (await identity.finish(query, checks));
      const verdict = vouched && (await signInByProvider(em(), { ...vouched, device }));
      return verdict?.kind === 'code-needed' ? askCode(verdict) : verdict;
    },

    /** After a provider that has checked no second factor, or at the first sign-in with it. Undefined: this browser is not asked for a code. */
    async finishByCode(attempt: string, code: string, device: string | undefined) {
      const { data } = pending.safeParse(await takeChallenge(pool, attempt, beforeCode));
      if (!data) return undefined;
      const verdict = await signInByCode(em(), keys, { ...data, code, device, by: 'provider' });
      // a wrong code may be corrected
      return verdict?.kind === 'wrong' || verdict?.kind === 'used' ? askCode(data) : verdict;
    },
  };
};
