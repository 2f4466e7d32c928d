import { type Keys, type OwnLead, readOwnLead } from '@leadback/domain/keys';
import { stringifySetCookie } from 'cookie';
import type { Response } from 'express';
import type { Cookies } from './cookies.ts';
import type { Exchange } from './exchange.ts';

const maxAgeSeconds = 90 * 86_400;

// Browsers send it to the visitor's page alone, so a click cannot read what is stored already. A cookie for each first
// character of a reference keeps at most 62 leads, in about 5 KB: a newer lead replaces one of the same character.
const namePrefix = 'lead-';
const nameOf = (reference: string) => namePrefix + reference.charAt(0);

const set = (
  { protocol, response }: { readonly protocol: string; readonly response: Response },
  reference: string,
  value: string,
  maxAge: number,
): void => {
  const cookie = {
    name: nameOf(reference),
    value,
    maxAge,
    path: '/data',
    httpOnly: true,
    sameSite: 'lax',
    secure: protocol === 'https',
  } as const;
  response.appendHeader('Set-Cookie', stringifySetCookie(cookie));
};

/**
 * Lets the browser show and erase a lead on the visitor's page for 90 days. It is used for nothing else, so no consent is
 * needed. `written`: see `writeOwnLead`.
 */
export const rememberLead = (exchange: Exchange, reference: string, written: string): void =>
  set(exchange, reference, written, maxAgeSeconds);

export const forgetLead = (
  exchange: { readonly protocol: string; readonly response: Response },
  reference: string,
): void => set(exchange, reference, '', 0);

/**
 * The leads that a browser proves to have left. Forged cookies prove nothing, and hide none: another site of the same domain
 * can set some of the same name, for several paths and parent domains, which the browser may send first. The size of headers
 * limits how many.
 */
export const ownLeadsOf = (keys: Keys, cookies: Cookies): OwnLead[] =>
  [...cookies].flatMap(([name, values]) => {
    if (!name.startsWith(namePrefix)) return [];
    return values.flatMap((written) => {
      const lead = readOwnLead(keys, written);
      return lead && name === nameOf(lead.reference) ? [lead] : [];
    });
  });
