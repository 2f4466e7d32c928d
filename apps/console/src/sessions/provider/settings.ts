import { z } from 'zod';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Compose and Kubernetes set what has no value to nothing. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** Of the company's identity provider, which people may sign in with beside their password. */
export const providerSettings = {
  OIDC_ISSUER: optional(
    z.url({ protocol: /^https?$/ }).refine((url) => {
      const { protocol, hostname } = new URL(url);
      return protocol === 'https:' || loopback.has(hostname);
    }, 'expected https'),
  ),
  OIDC_CLIENT_ID: optional(z.string()),
  OIDC_CLIENT_SECRET: optional(z.string()),
  /** The name of the provider on its button. */
  OIDC_NAME: optional(z.string().max(40)),
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
