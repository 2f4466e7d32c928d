import type { ServedPage } from '../pages/served-page.ts';
import { type AskedField, emailAddressSchema, type NewLead } from '@leadback/domain';
import { z } from 'zod';
import { capturedText } from './captured-text.ts';
import { type Consent, nothingAsked, type Recognize, readConsent } from './form-consent.ts';

/** null: the page did not ask. */
export type Contact = Pick<NewLead, AskedField> & Consent;

export interface VisitForm {
  readonly contact: Contact;
  /** Asked fields that are missing or unusable. */
  readonly problems: readonly AskedField[];
  /** The referrer of the first request for the page. */
  readonly referrer: string | null;
  /** Issued with the page: distinguishes a form that is sent twice from two visits. */
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
export const readForm = (page: ServedPage, body: unknown, isRecognized: Recognize): VisitForm => {
  const form = formSchema.parse(body);
  const entry = (field: AskedField) => (page.askedFields.includes(field) ? capturedText(form[field]?.trim()) : null);
  const token = capturedText(form.token);
  const { consent, textHash } = readConsent(page, { ...form, token }, isRecognized);
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
    token,
    textHash,
  };
};
