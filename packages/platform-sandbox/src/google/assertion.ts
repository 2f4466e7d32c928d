import { z } from 'zod';
import { isRevoked } from '../revoked.ts';

const lifeMaxSeconds = 3600;
const aheadMaxSeconds = 300;

const headerSchema = z.object({ alg: z.literal('RS256'), typ: z.literal('JWT'), kid: z.string().min(1).optional() });
const claimsSchema = z.object({
  iss: z.email(),
  scope: z.literal('https://www.googleapis.com/auth/datamanager'),
  aud: z.literal('https://oauth2.googleapis.com/token'),
  iat: z.int(),
  exp: z.int(),
});

type Assertion =
  | { readonly kind: 'good'; readonly project: string }
  /** Google's own error message, if it is known. */
  | { readonly kind: 'bad'; readonly fault: string };

const bad = (fault: string): Assertion => ({ kind: 'bad', fault });

const jsonOf = (part: string | undefined): unknown => {
  try {
    return JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
  } catch {
    return undefined;
  }
};

const projectOf = (email: string) => /@([a-z0-9-]+)\.iam\.gserviceaccount\.com$/.exec(email)?.[1] ?? email;

/**
 * Whether Google would accept the assertion of a service account (RFC 7523), and for which project. Only the form of
 * the signature is checked, because the sandbox has no public key.
 */
export const judgeAssertion = (assertion: string, nowMs: number): Assertion => {
  const [header, claims, signature, ...more] = assertion.split('.');
  const { data } = claimsSchema.safeParse(jsonOf(claims));
  if (more.length > 0 || !headerSchema.safeParse(jsonOf(header)).success || data === undefined) {
    return bad('Invalid JWT: Failed audience or scope check, or malformed.');
  }
  const nowSeconds = Math.floor(nowMs / 1000);
  const isTimely = data.iat <= nowSeconds + aheadMaxSeconds && data.exp > nowSeconds;
  if (!isTimely || data.exp - data.iat > lifeMaxSeconds) {
    return bad(
      'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
    );
  }
  // a signature by a key of 2048 bits or more
  if (!/^[\w-]{342,}$/.test(signature ?? '')) return bad('Invalid JWT Signature.');
  if (isRevoked(data.iss)) return bad('Invalid grant: account not found');
  return { kind: 'good', project: projectOf(data.iss) };
};
