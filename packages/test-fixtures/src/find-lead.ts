import { type EntityManager, Lead } from '@leadback/db';
import { contactOfLead } from '@leadback/secrets';
import { givenContacts } from './secrets-key.ts';

/** The lead with a reference, with its contact data decrypted. Throws if there is none. */
export const findLead = async (em: EntityManager, reference: string): Promise<Lead> => {
  const lead = await em.findOneOrFail(Lead, { reference }, { populate: ['account'] });
  const { id: accountId, dataKey = null } = lead.account.getEntity();
  if (lead.contact == null) return lead;
  const owner = contactOfLead(accountId, reference);
  const { contact } = lead;
  const {
    name = null,
    email = null,
    phone = null,
    ipAddress = null,
  } = givenContacts().decrypt({
    accountId,
    owner,
    dataKey,
    contact,
  });
  return Object.assign(lead, { name, email, phone, ipAddress });
};
