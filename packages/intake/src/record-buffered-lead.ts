import { type Contacts, failureScopeOf, inTransaction, type Pool } from '@leadback/db';
import { batch } from '@leadback/runtime/batch';
import type { AccountKeysOpener } from '@leadback/secrets';
import { applyConsentWithdrawals } from './visitor/consent-withdrawals.ts';
import { withoutErased } from './erased-leads.ts';
import { type LeadToRecord, insertLeads } from './record-lead.ts';

/**
 * Returns a function that records one lead that was buffered, as `leadRecorder` does, but without what was erased
 * meanwhile, and with the consent that was withdrawn.
 */
export const bufferedLeadRecorder = (
  pool: Pool,
  openKey: AccountKeysOpener,
  contacts: Contacts,
): ((lead: LeadToRecord) => Promise<true>) =>
  batch(
    async (leads: readonly LeadToRecord[]) => {
      await inTransaction(pool, async (on) => insertLeads(on, await withoutErased(on, openKey, leads), contacts));
      await applyConsentWithdrawals(
        pool,
        leads.map(({ reference }) => reference),
      );
      return leads.map(() => true);
    },
    { itemsMax: 50, runsMax: 2, failureScope: failureScopeOf },
  );
