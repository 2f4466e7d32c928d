import type { Vouched } from '@leadback/people';
import type { Configuration } from 'openid-client';
import { z } from 'zod';
import { ConsoleRefusal } from '../../console-refusal.ts';
import type { ProviderOptions } from './settings.ts';

const library = () => import('openid-client');

const timeoutSeconds = 5;

const claimsSchema = z.object({
  email: z.string().max(320),
  email_verified: z.literal(true),
  iss: z.string(),
  // as OpenID Connect has it: ASCII
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  /** To whom it was issued, if the provider says so. */
  azp: z.string().optional(),
  amr: z.array(z.string()).default([]),
  auth_time: z.number().optional(),
});

// https://www.rfc-editor.org/rfc/rfc8176: what a method shows that a person knows, has, or is
const factorOf: ReadonlyMap<string, 'known' | 'had' | 'been'> = new Map([
  ['kba', 'known'],
  ['pin', 'known'],
  ['pwd', 'known'],
  ['hwk', 'had'],
  ['otp', 'had'],
  ['pop', 'had'],
  ['sc', 'had'],
  ['sms', 'had'],
  ['swk', 'had'],
  ['tel', 'had'],
  ['face', 'been'],
  ['fpt', 'been'],
  ['iris', 'been'],
  ['retina', 'been'],
  ['vbm', 'been'],
]);

/** Whether the provider says `mfa`, or names methods of two different kinds. */
const hasTwoFactors = (methods: readonly string[]): boolean =>
  methods.includes('mfa') || new Set(methods.flatMap((method) => factorOf.get(method) ?? [])).size > 1;

// as long as a session without a request: whom the provider checked earlier, it asks again
const authenticatedWithinSeconds = 12 * 3600;
const clocksOffMs = 60_000;

/**
 * The time of the provider's check; undefined if it gives none, one to come, or one that is longer ago than was asked for:
 * the request goes through the browser, where its user may take the limit away.
 */
const timeOfCheck = (seconds: number | undefined): Date | undefined => {
  if (seconds === undefined) return undefined;
  const [now, atMs] = [Date.now(), seconds * 1000];
  if (atMs > now + clocksOffMs || atMs < now - authenticatedWithinSeconds * 1000 - clocksOffMs) return undefined;
  return new Date(Math.min(atMs, now));
};

// signed with a key that only the provider has, and not with ours or none
const signatures = new Set(['RS256', 'PS256', 'ES256']);
const headerSchema = z.object({ alg: z.string() });
const isSignedByProvider = (idToken: string): boolean => {
  const header: unknown = JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString());
  return signatures.has(headerSchema.parse(header).alg);
};

/** What the response of the provider is compared with. */
export const providerChecks = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() });
export type ProviderChecks = z.output<typeof providerChecks>;

/** The company's identity provider, by OpenID Connect: the code flow with PKCE. */
export const identityProvider = (
  { issuer, clientId, clientSecret }: ProviderOptions,
  redirectUri: string,
  onUnavailable: (error: unknown) => void,
) => {
  let found: Promise<Configuration> | undefined;

  const unavailable = (error: unknown): ConsoleRefusal => {
    onUnavailable(error);
    return new ConsoleRefusal('provider-unavailable');
  };

  const discover = async () => {
    const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await library();
    const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
    const config = await discovery(new URL(issuer), clientId, clientSecret, undefined, {
      timeout: timeoutSeconds,
      execute,
    });
    enableNonRepudiationChecks(config);
    return config;
  };

  /** Asked once; again after a failure. */
  const configuration = async (): Promise<Configuration> => {
    found ??= discover();
    try {
      return await found;
    } catch (error) {
      found = undefined;
      throw unavailable(error);
    }
  };

  return {
    /** Where the browser goes, and what its return is compared with. */
    async begin(): Promise<{ url: string; checks: ProviderChecks }> {
      const config = await configuration();
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, ...random } = await library();
      const [state, nonce] = [random.randomState(), random.randomNonce()];
      const verifier = random.randomPKCECodeVerifier();
      const { href } = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        max_age: String(authenticatedWithinSeconds),
      });
      return { url: href, checks: { state, nonce, verifier } };
    },

    /** For whom the provider vouches; undefined: for nobody. `query`: what it has added to our URL. */
    async finish(query: string, { state, nonce, verifier }: ProviderChecks): Promise<Vouched | undefined> {
      const config = await configuration();
      const { authorizationCodeGrant, AuthorizationResponseError, ClientError, ResponseBodyError } = await library();
      try {
        const tokens = await authorizationCodeGrant(config, new URL(query, redirectUri), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const { data: claims } = claimsSchema.safeParse(tokens.claims());
        if (!claims || !isSignedByProvider(tokens.id_token ?? '')) return undefined;
        if (claims.azp !== undefined && claims.azp !== clientId) return undefined;
        return {
          issuer: claims.iss,
          subject: claims.sub,
          email: claims.email,
          secondFactorAt: hasTwoFactors(claims.amr) ? timeOfCheck(claims.auth_time) : undefined,
        };
      } catch (error) {
        // of the network: the provider has decided nothing
        if (error instanceof TypeError || (error instanceof ClientError && error.code === 'OAUTH_TIMEOUT'))
          throw unavailable(error);
        if (
          error instanceof ClientError ||
          error instanceof AuthorizationResponseError ||
          error instanceof ResponseBodyError
        )
          return undefined;
        throw error;
      }
    },
  };
};
