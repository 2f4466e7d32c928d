import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import type { RequestHandler } from 'express';

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

/** Every token or secret is valid unless it contains `revoked`. */
export const isRevoked = (secret: string): boolean => secret.includes('revoked');

/** The token of `Authorization: Bearer`. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];

/** The form that exchanges a refresh token for an access token (RFC 6749, section 6). */
export const refreshTokenRequestSchema = z.object({
  grant_type: z.literal('refresh_token'),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  refresh_token: z.string().min(1),
});

// 12 digits of the time, as in version 7 of RFC 9562, and a mark that random ids do not have
const timedClick = /^(?<time>[0-9a-f]{12})70008000[0-9a-f]{12}$/;

/**
 * When a click was, in milliseconds since 1970, for tests: a platform knows it of its own click ids, the sandbox only of those
 * that are made for it.
 */
export const clickTimeOf = (clickId: string): number | undefined => {
  const time = timedClick.exec(clickId)?.groups?.['time'];
  return time === undefined ? undefined : Number.parseInt(time, 16);
};

const noClickId =
  /[\s{}<>[\]%$"]|^__[a-z_]+__$|^(?:undefined|null|none|nan|n\/a|0|test|(?:your_)?(?:gclid|fbclid|ttclid|clickid)(?:_here)?)$/i;

/**
 * Whether it is a template that nobody filled, or a word for nothing. Most platforms take it in silence, and match nobody; the
 * sandbox refuses it, so that nobody sends it unnoticed.
 */
export const isNoClickId = (sent: string): boolean => noClickId.test(sent);

// of this machine, and of the service in docker-compose.yml
const ownNames = ['localhost', 'sandbox'];

const urlOf = (text: string | undefined): URL | null => (text === undefined ? null : URL.parse(text));

const isOwnHost = (host: string | undefined): boolean => {
  const name = urlOf(host && `http://${host}`)?.hostname ?? '';
  return ownNames.includes(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
};

/**
 * Refuses what pages of other sites send from a browser on this machine: under a name of theirs that resolves to this
 * machine, or from an origin of their own. Programs send no origin.
 */
export const refuseStrangers: RequestHandler = ({ headers: { host, origin } }, response, next) => {
  if (isOwnHost(host) && (origin === undefined || urlOf(origin)?.host === urlOf(`http://${host}`)?.host)) next();
  else response.status(403).json({ message: 'the sandbox is for programs and pages of this machine' });
};
