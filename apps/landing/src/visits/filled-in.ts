import { randomUUID } from 'node:crypto';
import type { Shown } from '../pages/page-template.ts';
import type { VisitForm } from './visit-form.ts';

/** What a page shows to whoever has filled it in: what was entered, and what of it has to be mended. */
export const filledIn = ({ contact, problems, referrer, token }: VisitForm): Shown => ({
  token: token ?? randomUUID(),
  referrer: referrer ?? '',
  entered: contact,
  hasConsented: contact.consent === true,
  problems,
});
