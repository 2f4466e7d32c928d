import {
  newChallenge,
  secondFactorKeys,
  signInByCode,
  signInByProvider,
  takeChallenge,
  type Vouched,
} from '@leadback/core/people/sign-in';
import type { Database } from '@leadback/db';
import type { SecretsKeys } from '@leadback/domain/keys';
import type { Configuration } from 'openid-client';
import { z } from 'zod';
import { ConsoleRefusal } from '../console-refusal.ts';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Compose and Kubernetes set what has no value to nothing. */
const optional = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional()).meta({ description, isUsual: true });

/** Of the company's identity provider, which people may sign in with beside their password. */
export const providerSettings = {
  OIDC_ISSUER: optional(
    z.url({ protocol: /^https?$/ }).refine((url) => {
      const { protocol, hostname } = new URL(url);
      return protocol === 'https:' || loopback.has(hostname);
    }, 'expected https'),
    'An identity provider (OpenID Connect). Set this and the next two, or none: [console](../console.md#sign-in)',
  ),
  OIDC_CLIENT_ID: optional(z.string(), 'The id that it gave Leadback'),
  OIDC_CLIENT_SECRET: optional(z.string(), 'The secret of this id'),
  OIDC_NAME: optional(z.string().max(40), 'Its name on the button; if not set, its host'),
};

type ProviderSettings = z.output<z.ZodObject<typeof providerSettings>>;

const needed = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

/** All of them, or none. */
export const refuseHalfProvider = (settings: ProviderSettings, context: z.RefinementCtx): void => {
  const missing = needed.filter((name) => settings[name] === undefined);
  if (missing.length === needed.length) return;
  for (const name of missing) {
    context.addIssue({ code: 'custom', message: 'missing: set all three of OIDC_*, or none', path: [name] });
  }
};

export interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
}

/** Undefined: people sign in without a provider. */
export const providerOptions = (settings: ProviderSettings): ProviderOptions | undefined => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = settings;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).hostname };
};

const library = () => import('openid-client');

const timeoutSeconds = 5;

const claimsSchema = z.object({
  email: z.string().max(320),
  email_verified: z.literal(true),
  iss: z.string(),
  iat: z.number(),
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

/** Whether a time of the provider's clock is later than a clock that is a little wrong explains. */
const isToCome = (seconds: number): boolean => seconds * 1000 > Date.now() + clocksOffMs;

/**
 * The time of the provider's check; undefined if it gives none, one to come, or one that is longer ago than was asked for:
 * the request goes through the browser, where its user may take the limit away.
 */
const timeOfCheck = (seconds: number | undefined): Date | undefined => {
  if (seconds === undefined) return undefined;
  const [now, atMs] = [Date.now(), seconds * 1000];
  if (isToCome(seconds) || atMs < now - authenticatedWithinSeconds * 1000 - clocksOffMs) return undefined;
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
const providerChecks = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() });
type ProviderChecks = z.output<typeof providerChecks>;

/** Where the provider sends the browser back to. Its page asks for the session, so that the cookie may be strict. */
const returnPath = '/sign-in/provider';

/** The company's identity provider, by OpenID Connect: the code flow with PKCE. It holds what the provider says of itself. */
export const identityProvider = (
  { issuer, clientId, clientSecret, name }: ProviderOptions,
  consoleUrl: string,
  onUnavailable: (error: unknown) => void,
) => {
  const redirectUri = new URL(returnPath, consoleUrl).href;
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
    name,

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
        if (isToCome(claims.iat)) return undefined;
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

export type IdentityProvider = ReturnType<typeof identityProvider>;

const atProvider = { purpose: 'provider' } as const;
const beforeCode = { purpose: 'provider-code' } as const;
const pending = z.object({
  personId: z.number(),
  link: z.object({ issuer: z.string(), subject: z.string() }).optional(),
});
type Pending = z.output<typeof pending>;

interface At extends Pick<Database, 'em' | 'pool'> {
  readonly secretsKeys: SecretsKeys;
}

const askCode = async ({ pool }: At, { personId, link }: Pending) => ({
  kind: 'code-needed' as const,
  attempt: await newChallenge(pool, beforeCode, { personId, ...(link && { link }) }),
});

/** `attempt`: what only the browser that began has, in its cookie. */
export const beginAtProvider = async ({ pool }: At, provider: IdentityProvider) => {
  const { url, checks } = await provider.begin();
  return { url, attempt: await newChallenge(pool, atProvider, checks) };
};

interface Return {
  readonly attempt: string;
  readonly device: string | undefined;
}

/** Undefined: the provider vouches for nobody who was invited, or this browser has not begun. */
export const finishAtProvider = async (
  at: At,
  provider: IdentityProvider,
  { attempt, query, device }: Return & { readonly query: string },
) => {
  const { data: checks } = providerChecks.safeParse(await takeChallenge(at.pool, attempt, atProvider));
  const vouched = checks && (await provider.finish(query, checks));
  const verdict = vouched && (await signInByProvider(at.em(), { ...vouched, device }));
  return verdict?.kind === 'code-needed' ? askCode(at, verdict) : verdict;
};

/** After a provider that has checked no second factor, or at the first sign-in with it. Undefined: this browser is not asked for a code. */
export const finishByCode = async (at: At, { attempt, code, device }: Return & { readonly code: string }) => {
  const { data } = pending.safeParse(await takeChallenge(at.pool, attempt, beforeCode));
  if (!data) return undefined;
  const verdict = await signInByCode(at.em(), secondFactorKeys(at.secretsKeys), {
    ...data,
    code,
    device,
    by: 'provider',
  });
  // a wrong code may be corrected
  return verdict?.kind === 'wrong' || verdict?.kind === 'used' ? askCode(at, data) : verdict;
};
