import { randomUUID } from 'node:crypto';
import type { BuiltPage } from '../pages/built-page.ts';
import type { Shown } from '../pages/page-template.ts';
import type { VisitForm } from './visit-form.ts';

/** What a page shows to whoever has filled it in: what was entered, and what of it has to be mended. */
export const formState = (
  { consentRequest }: BuiltPage,
  { contact, problems, referrer, token, textHash }: VisitForm,
): Omit<Shown, 'signature'> => ({
  token: token ?? randomUUID(),
  referrer: referrer ?? '',
  entered: contact,
  // a box beside another text than the one that was agreed to is not ticked
  hasConsented: contact.consent === true && textHash === consentRequest.textHash,
  problems,
});
