import { randomUUID } from 'node:crypto';
import type { Shown } from '@leadback/landing-page';
import type { BuiltPage } from '../pages/built-page.ts';
import type { VisitForm } from './visit-form.ts';

/** What a returned form shows: the entered values and which of them to correct. */
export const formState = (
  { consentRequest }: BuiltPage,
  { contact, problems, referrer, token, textHash }: VisitForm,
): Omit<Shown, 'signature'> => ({
  token: token ?? randomUUID(),
  referrer: referrer ?? '',
  entered: contact,
  // if the consent text has changed, the box is not ticked
  hasConsented: contact.consent === true && textHash === consentRequest.textHash,
  problems,
});
