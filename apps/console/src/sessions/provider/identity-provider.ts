import type { Configuration } from 'openid-client';
import { z } from 'zod';
import { ConsoleRefusal } from '../../console-refusal.ts';
import type { ProviderOptions } from './settings.ts';

const library = () => import('openid-client');

const timeoutSeconds = 5;

const claimsSchema = z.object({
  email: z.string().max(320),
  email_verified: z.literal(true),
  amr: z.array(z.string()).default([]),
});

// https://www.rfc-editor.org/rfc/rfc8176: several factors, a one-time code, or a key in hardware
const secondFactors = new Set(['mfa', 'otp', 'hwk']);

/** What the response of the provider is compared with. */
export const providerChecks = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() });
export type ProviderChecks = z.output<typeof providerChecks>;

interface VouchedPerson {
  readonly email: string;
  readonly hasSecondFactor: boolean;
}

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
    const { allowInsecureRequests, discovery } = await library();
    const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
    return discovery(new URL(issuer), clientId, clientSecret, undefined, { timeout: timeoutSeconds, execute });
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
      });
      return { url: href, checks: { state, nonce, verifier } };
    },

    /** For whom the provider vouches; undefined: for nobody. `query`: what it has added to our URL. */
    async finish(query: string, { state, nonce, verifier }: ProviderChecks): Promise<VouchedPerson | undefined> {
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
        return claims && { email: claims.email, hasSecondFactor: claims.amr.some((one) => secondFactors.has(one)) };
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
