import type { AskedField, LandingPage } from '@leadback/db';
import { emailAddressSchema, type NewLead } from '@leadback/domain';
import { z } from 'zod';
import { capturedText } from './captured-text.ts';
import { type Consent, nothingAsked, type Recognize, readConsent } from './form-consent.ts';

/** What a visitor entered on the page; null where the page did not ask. */
export type Contact = Pick<NewLead, AskedField> & Consent;

export interface VisitForm {
  readonly contact: Contact;
  /** Asked fields that say nothing, or nothing that can be used. */
  readonly problems: readonly AskedField[];
  /** Of the first request, before the visitor went on. */
  readonly referrer: string | null;
  /** Given with the page: by it a form that is sent twice is told from two visits. */
  readonly token: string | null;
  /** Of the consent text that the visitor saw. */
  readonly textHash: string;
}

/** What a visitor of a page that asks for nothing has entered, and of one that is never seen. */
export const nothingEntered: Contact = { name: null, email: null, phone: null, ...nothingAsked };

// a form that is not as we made it is no reason to turn a visitor away: what cannot be read was not entered
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

// no stricter than what partners may send: anything more would turn real customers away
const isUsable: Record<AskedField, (value: string) => boolean> = {
  name: (value) => /[\p{L}\p{N}]/u.test(value),
  email: (value) => value !== '' && emailAddressSchema.safeParse(value).success,
  phone: (value) => /\d/.test(value),
};

/** Reads the form of a page from the body of a request, whatever that is. */
export const readForm = (page: LandingPage, body: unknown, isRecognized: Recognize): VisitForm => {
  const form = formSchema.parse(body);
  const answer = (field: AskedField) => (page.askedFields.includes(field) ? capturedText(form[field]?.trim()) : null);
  const token = capturedText(form.token);
  const { consent, textHash } = readConsent({ ...form, token }, isRecognized);
  const contact: Contact = {
    name: answer('name'),
    email: answer('email'),
    phone: answer('phone'),
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
