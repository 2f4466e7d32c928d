import { stringifySetCookie } from 'cookie';
import type { Response } from 'express';
import type { Cookies } from './cookies.ts';
import type { Exchange } from './exchange.ts';

/** A lead that was left in this browser. */
export interface RememberedLead {
  readonly reference: string;
  readonly pageId: number;
}

const maxAgeSeconds = 90 * 86_400;
const shape = /^(?<reference>[0-9A-Za-z]{22})\.(?<pageId>[1-9]\d{0,15})$/;

// Browsers send it to the visitor's page alone, so a click cannot read what is stored already. A cookie for each first
// character of a reference keeps at most 62 leads, in about 2 KB: a newer lead replaces one of the same character.
const nameOf = (reference: string) => `lead-${reference.charAt(0)}`;

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

/** Lets the browser show a lead on the visitor's page for 90 days. It is used for nothing else, so no consent is needed. */
export const rememberLead = (exchange: Exchange, reference: string): void =>
  set(exchange, reference, `${reference}.${exchange.page.id}`, maxAgeSeconds);

export const forgetLead = (
  exchange: { readonly protocol: string; readonly response: Response },
  reference: string,
): void => set(exchange, reference, '', 0);

/** They may be forged. */
export const rememberedLeads = (cookies: Cookies): RememberedLead[] =>
  [...cookies].flatMap(([name, values]) => {
    const { reference, pageId } = shape.exec(values[0] ?? '')?.groups ?? {};
    if (reference === undefined || name !== nameOf(reference)) return [];
    return [{ reference, pageId: Number(pageId) }];
  });
