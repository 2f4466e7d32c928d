import { isAgreed, type Sharing } from './sharing.ts';

/** As entered, not normalised. */
export interface Contact {
  readonly name: string | null;
  readonly email: string | null;
  readonly phoneNumber: string | null;
}

/**
 * The contact data that platforms may match a client by: what the partner registered, and for missing fields what the
 * visitor entered on the landing page, if the visitor agreed to sharing.
 */
export const contactToShare = (client: Contact, lead: Contact, sharing: Sharing): Contact =>
  isAgreed(sharing)
    ? {
        name: client.name ?? lead.name,
        email: client.email ?? lead.email,
        phoneNumber: client.phoneNumber ?? lead.phoneNumber,
      }
    : { name: client.name, email: client.email, phoneNumber: client.phoneNumber };
