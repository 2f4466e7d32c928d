import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import {
  type AskedScope,
  askedScopes,
  type ConsentRequest,
  inAdvance,
  isSignedConsentRequest,
  type Keys,
  signConsentRequest,
} from '@leadback/domain/keys';
import { type NewLead, type AskedField, capturedText, emailAddressSchema } from '@leadback/domain';
import { z } from 'zod';
import type { Shown } from '@leadback/core/pages/render/page';
import type { ServedPage, BuiltPage } from '../pages/served-page.ts';
import type { Exchange } from './exchange.ts';

// The proxy may have terminated TLS, so the scheme is not compared.
const isOwnHost = (origin: string, host: string): boolean => {
  if (!URL.canParse(origin)) return false;
  const sender = new URL(origin);
  const own = `${sender.protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === sender.host;
};

/**
 * Whether the browser says that a form comes from this landing app. `Sec-Fetch-Site` takes precedence, because a proxy
 * may have changed the host. `Origin: null` is refused: any site can make browsers send it, and browsers that hide the
 * origin of this site send `Sec-Fetch-Site`.
 */
export const isFromOwnPage = (request: Request): boolean => {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.get('origin');
  return origin === undefined || isOwnHost(origin, request.host ?? '');
};

/** null: the page did not ask. */
type Consent = Pick<NewLead, 'consent' | 'consentScope'>;

const nothingAsked: Consent = { consent: null, consentScope: null };
const notConsented: Consent = { consent: false, consentScope: 'sharing' };

/** What a form claims that its page asked. It may be forged. */
interface SentRequest extends Omit<ConsentRequest, 'pageId'> {
  readonly scope: AskedScope;
  readonly signature: string;
  readonly token: string;
}

/** Whether Leadback issued the form that makes this claim. */
type Recognize = (sent: SentRequest) => boolean;

interface ConsentFields {
  readonly asked?: string | undefined;
  readonly consent?: string | undefined;
  /** `<hash of the consent text>.<signature>` */
  readonly proof?: string | undefined;
  readonly token: string | null;
}

/**
 * Reads the consent in a form, and the hash of the consent text that it refers to. An unrecognized form counts as not
 * consented, unless the page asks for nothing and the form does not claim that it asked when it was shown.
 */
const readConsent = (
  { consentText }: Pick<ServedPage, 'consentText'>,
  { asked, consent, proof = '', token }: ConsentFields,
  recognize: Recognize,
): { consent: Consent; textHash: string; isRecognized: boolean } => {
  const scope = askedScopes.find((one) => one === asked);
  const [textHash = '', signature = ''] = proof.split('.');
  if (scope === undefined || !recognize({ scope, textHash, signature, token: token ?? '' })) {
    const isSilent = consentText === null && (asked === undefined || asked === 'nothing');
    return { consent: isSilent ? nothingAsked : notConsented, textHash, isRecognized: false };
  }
  const chosen = scope === 'nothing' ? nothingAsked : { consent: consent === 'yes', consentScope: scope };
  return { consent: chosen, textHash, isRecognized: true };
};

/**
 * Recognizes forms that Leadback signed for the page, even if the page has changed since, and that no other site sent.
 */
export const recognizeSigned =
  (keys: Keys, { page, request }: Exchange): Recognize =>
  ({ scope, textHash, token, signature }) =>
    isFromOwnPage(request) && isSignedConsentRequest(keys, { pageId: page.id, scope, textHash }, { token, signature });

/** null: the page did not ask. */
export type Contact = Pick<NewLead, AskedField> & Consent;

export interface VisitForm {
  readonly contact: Contact;
  /** Asked fields that are missing or unusable. */
  readonly problems: readonly AskedField[];
  /** The referrer of the first request for the page. */
  readonly referrer: string | null;
  /**
   * Issued with the page: distinguishes a form that is sent twice from two visits. null: Leadback did not issue it, or
   * another site sent it, which may know its token.
   */
  readonly token: string | null;
  /** Of the consent text that the visitor saw. */
  readonly textHash: string;
}

/** For pages without fields and for direct pages. */
export const nothingEntered: Contact = { name: null, email: null, phone: null, ...nothingAsked };

// an unexpected form must not turn a visitor away: unreadable fields count as empty
const entered = z
  .union([z.string(), z.array(z.string()).transform(([first]) => first)])
  .optional()
  .catch(undefined);
const formSchema = z
  .object({
    name: entered,
    email: entered,
    phone: entered,
    asked: entered,
    proof: entered,
    consent: entered,
    referrer: entered,
    token: entered,
  })
  .catch({});

// no stricter than the API: stricter rules would turn real customers away
const isUsable: Record<AskedField, (value: string) => boolean> = {
  name: (value) => /[\p{L}\p{N}]/u.test(value),
  email: (value) => value !== '' && emailAddressSchema.safeParse(value).success,
  phone: (value) => /\d/.test(value),
};

/** Reads the form from a request body. Never throws. */
export const readForm = (page: ServedPage, body: unknown, recognize: Recognize): VisitForm => {
  const form = formSchema.parse(body);
  const entry = (field: AskedField) => (page.askedFields.includes(field) ? capturedText(form[field]?.trim()) : null);
  const token = capturedText(form.token);
  const { consent, textHash, isRecognized } = readConsent(page, { ...form, token }, recognize);
  const contact: Contact = {
    name: entry('name'),
    email: entry('email'),
    phone: entry('phone'),
    ...consent,
  };
  return {
    contact,
    problems: page.askedFields.filter((field) => !isUsable[field](contact[field] ?? '')),
    referrer: capturedText(form.referrer),
    token: isRecognized ? token : null,
    textHash,
  };
};

const freshMs = 24 * 3_600_000;
const tokenShape = /^(?<issuedMs>\d{13})-/;

const newToken = (nowMs: number): string => `${Math.floor(nowMs)}-${randomUUID()}`;

/** Whether a token that Leadback issued is of the last day: a page that somebody has kept is not sent twice by mistake. */
export const isFreshToken = (token: string, nowMs: number): boolean =>
  nowMs - Number(tokenShape.exec(token)?.groups?.['issuedMs'] ?? 0) < freshMs;

/** What a returned form shows: the entered values and which of them to correct. */
export const formState = (
  { consentRequest }: BuiltPage,
  { contact, problems, referrer, token, textHash }: VisitForm,
  nowMs: number,
): Omit<Shown, 'signature'> => ({
  // a token that somebody else may know is not shown: the reference of the lead, and its proof, would follow from it
  token: token ?? newToken(nowMs),
  referrer: referrer ?? '',
  entered: contact,
  // if the consent text has changed, the box is not ticked
  hasConsented: contact.consent === true && textHash === consentRequest.textHash,
  problems,
});

const issuedAtOnce = 32;
const issuedForMs = 3_600_000;

/** Tells apart the forms that are shown, and proves which consent one of them asks for. */
export interface FormToken {
  readonly token: string;
  readonly signature: string;
}

interface Issuer {
  readonly issue: () => FormToken;
  readonly untilMs: number;
}

/** Returns a function that issues tokens for forms with this request: that of a built page, the same object each time. */
export const formTokens = (keys: Keys, nowMs: () => number): ((request: ConsentRequest) => FormToken) => {
  const issuers = new WeakMap<ConsentRequest, Issuer>();

  const issue = (request: ConsentRequest): FormToken => {
    const token = newToken(nowMs());
    return { token, signature: signConsentRequest(keys, request, token) };
  };

  // of a page that few visit, what was issued in advance would be old when it is shown
  const issuerOf = (request: ConsentRequest): Issuer => {
    const known = issuers.get(request);
    if (known && nowMs() < known.untilMs) return known;
    const issuer = { issue: inAdvance(issuedAtOnce, () => issue(request)), untilMs: nowMs() + issuedForMs };
    issuers.set(request, issuer);
    return issuer;
  };

  return (request) => issuerOf(request).issue();
};
