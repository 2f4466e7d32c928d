import { createPrivateKey, sign } from 'node:crypto';
import { z } from 'zod';
import { oauthClientFields, refreshTokenGrant, type TokenRequest } from '../oauth.ts';
import { secondMs } from '../exchange.ts';
import { googleTimeZone, tokenErrorCode } from './codes.ts';
import { type Quota, valueSchema } from '../definition.ts';
import { sha256 } from '../event-parts.ts';

const expected =
  'expected the key of a service account: the JSON file that the Google Cloud console saves for it (IAM, Service accounts, Keys, JSON), with "type": "service_account"';

const isRsaKey = (pem: string): boolean => {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
};

const fieldsSchema = z.object({
  type: z.literal('service_account', 'its "type" is not "service_account"'),
  client_email: z.email('its "client_email" is missing'),
  private_key: z
    .string('its "private_key" is missing')
    .refine(isRsaKey, 'its "private_key" is no RSA key in PEM format'),
  private_key_id: z.string('its "private_key_id" is not a string').min(1).optional(),
  project_id: z.string('its "project_id" is not a string').min(1).optional(),
});

/**
 * A service account key as Google's console saves it. Unused fields are dropped, among them `token_uri`: a file must
 * not decide where requests are sent.
 */
const serviceAccountKeySchema = z.unknown().transform((given, context): z.infer<typeof fieldsSchema> => {
  const read = fieldsSchema.safeParse(given);
  if (read.success) return read.data;
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  const faults = isObject ? `; ${read.error.issues.map(({ message }) => message).join(', ')}` : '';
  context.addIssue({ code: 'custom', message: expected + faults });
  return z.NEVER;
});
export type ServiceAccountKey = z.infer<typeof serviceAccountKeySchema>;

const refreshTokenSchema = z.object({
  ...oauthClientFields({
    clientId: {
      expected: 'expected the OAuth client id, which ends in .apps.googleusercontent.com',
      help: 'OAuth client of a Cloud project with the Data Manager API',
    },
    clientSecret: { expected: 'expected the secret of the OAuth client', help: 'secret of the OAuth client' },
    refreshToken: {
      expected: 'expected a refresh token with the scope https://www.googleapis.com/auth/datamanager',
      help: 'refresh token of this client, with the scope of that API',
    },
  }),
});
const serviceAccountSchema = z.object({
  serviceAccount: serviceAccountKeySchema.meta({
    help: 'key of a service account, as Google Cloud made it',
    value: 'file',
    isSecret: true,
    isFile: true,
  }),
});

type GoogleRefreshToken = z.infer<typeof refreshTokenSchema>;
type GoogleServiceAccount = z.infer<typeof serviceAccountSchema>;

/** A refresh token with its OAuth client, or a service account key. */
export type GoogleCredentials = GoogleRefreshToken | GoogleServiceAccount;

export const googleCredentialKinds = [serviceAccountSchema, refreshTokenSchema] as const;

const account = 'expected ten digits, as Google Ads shows them (123-456-7890)';
const action = 'expected the digits of the conversion action, which its URL in Google Ads shows as ctId';

const customerId = z
  .string({ error: account })
  .transform((written) => written.replace(/[\s-]/g, ''))
  .refine((id) => /^\d{10}$/.test(id), account);

const conversionActionId = z.string({ error: action }).trim().regex(/^\d+$/, action);

export const googleSettingsSchema = z.object({
  customerId: customerId.meta({
    help: 'the Ads account that owns the conversion action',
    value: 'id',
  }),
  conversionActionId: conversionActionId.meta({
    help: 'the conversion action, of type "Import from clicks": ctId in its URL',
    value: 'id',
  }),
  leadConversionActionId: conversionActionId.optional().meta({
    help: 'another one of that type, for leads (`--events`)',
    value: 'id',
  }),
  loginCustomerId: customerId.optional().meta({ help: 'the manager account, if access is through one', value: 'id' }),
  value: valueSchema,
});
export type GoogleSettings = z.infer<typeof googleSettingsSchema>;

// Google's own URL, also if requests go to a stand-in
const audience = 'https://oauth2.googleapis.com/token';
const scope = 'https://www.googleapis.com/auth/datamanager';
const lifeSeconds = 3600; // the maximum that Google accepts

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWT signed with the service account's key, to exchange for an access token (RFC 7523, section 2.1). */
export const serviceAccountAssertion = (
  { client_email: email, private_key: privateKey, private_key_id: keyId }: ServiceAccountKey,
  nowMs: number,
): string => {
  const issuedAt = Math.floor(nowMs / secondMs);
  const header = { alg: 'RS256', typ: 'JWT', kid: keyId };
  const claims = { iss: email, scope, aud: audience, iat: issuedAt, exp: issuedAt + lifeSeconds };
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
};

/** Exchanges a refresh token or an assertion (RFC 7523, section 2.1) for an access token. */
export const googleTokenRequest = (oauthUrl: string, credentials: GoogleCredentials, nowMs: number): TokenRequest => {
  const url = `${oauthUrl}/token`;
  if (!('serviceAccount' in credentials)) {
    const { clientSecret, refreshToken } = credentials;
    return { url, form: refreshTokenGrant(credentials), secrets: [clientSecret, refreshToken] };
  }
  const { serviceAccount } = credentials;
  const assertion = serviceAccountAssertion(serviceAccount, nowMs);
  return {
    url,
    form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion },
    // not the account's email: it tells which account lacks access
    secrets: [serviceAccount.private_key, assertion],
    codeOf: tokenErrorCode,
  };
};

const ofOauthClient = /^(\d+)-[^.]+\.apps\.googleusercontent\.com$/;
const ofServiceAccount = /@([a-z0-9-]+)\.iam\.gserviceaccount\.com$/;
const projectShape = /^[a-z0-9.:-]{1,64}$/;

/** The Google Cloud project of the credentials: its number for an OAuth client, its id for a service account. */
const projectOf = (credentials: GoogleCredentials): string => {
  if (!('serviceAccount' in credentials)) {
    const { clientId } = credentials;
    return ofOauthClient.exec(clientId)?.[1] ?? sha256(clientId).slice(0, 16);
  }
  const { project_id: id, client_email: email } = credentials.serviceAccount;
  const project = id ?? ofServiceAccount.exec(email)?.[1] ?? '';
  return projectShape.test(project) ? project : sha256(email).slice(0, 16);
};

/**
 * Google's quotas per project ("Limits and quotas" of the Data Manager API), of which events and request statuses have
 * one each. Credentials that name no project have quotas of their own, under a hash.
 */
export const googleQuotas = (credentials: GoogleCredentials): Readonly<Record<'events' | 'statuses', Quota>> => {
  const name = `google ${projectOf(credentials)}`;
  const limits = { perMinute: 300, perDay: 100_000, timeZone: googleTimeZone };
  return { events: { name, ...limits }, statuses: { name: `${name} statuses`, ...limits } };
};
