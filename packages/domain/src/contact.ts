import { isAgreed, type Sharing } from './sharing.ts';

/** How a person can be recognised by name, email and phone, as they were written. */
export interface Contact {
  readonly name: string | null;
  readonly email: string | null;
  readonly phoneNumber: string | null;
}

/**
 * The contact data that platforms may match a client by: what the partner registered, and for each field that the partner
 * left out what the visitor entered on the landing page, if the visitor agreed to sharing it.
 */
export const contactToShare = (client: Contact, lead: Contact, sharing: Sharing): Contact =>
  isAgreed(sharing)
    ? {
        name: client.name ?? lead.name,
        email: client.email ?? lead.email,
        phoneNumber: client.phoneNumber ?? lead.phoneNumber,
      }
    : { name: client.name, email: client.email, phoneNumber: client.phoneNumber };
