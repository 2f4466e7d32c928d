import type { Account } from '@leadback/db';
import { bufferedLeadRecorder } from '@leadback/core/leads/record';
import { readVisitorLeads, withdrawConsent } from '@leadback/core/leads/visitor';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import { bufferedLead, givenContacts, secretsKeys } from '@leadback/testing';
import type { Operation } from './operation.ts';

const clicks = 20;

/** What visitors do on their page, also while their leads are buffered. */
export const visitorOperations = (account: Account, page: number): readonly Operation[] => [
  {
    name: 'show a visitor what is stored, and withdraw consent',
    rowsMax: 1_000,
    async run({ pool }) {
      const [keys, contacts] = [leadReferenceKeys(secretsKeys), givenContacts()];
      const references = Array.from({ length: clicks }, () => issueLeadReference(keys));
      for (const reference of references) await withdrawConsent(pool, reference);
      const record = bufferedLeadRecorder(pool, contacts);
      const leads = references.map((reference) =>
        bufferedLead({ accountId: account.id, landingPageId: page, reference }),
      );
      await Promise.all(leads.map(record));
      for (const reference of references) await withdrawConsent(pool, reference);
      // other operations register sales of the first clients
      const filled = Array.from({ length: clicks }, (_, index) => `filler lead ${500 + index * 10}`);
      await readVisitorLeads(
        pool,
        [...references, ...filled].map((reference) => ({ reference })),
        contacts,
      );
    },
  },
];
