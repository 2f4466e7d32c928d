import { failureScopeOf, inTransaction, type Pool } from '@leadback/db';
import { batch } from '@leadback/runtime/batch';
import type { AccountKeysOpener } from '@leadback/secrets';
import { withoutErased } from './erased-leads.ts';
import { type LeadToRecord, insertLeads } from './record-lead.ts';

/**
 * Returns a function that records one lead that was buffered, as `leadRecorder` does, but without what was erased
 * meanwhile.
 */
export const bufferedLeadRecorder = (pool: Pool, openKey: AccountKeysOpener): ((lead: LeadToRecord) => Promise<true>) =>
  batch(
    (leads: readonly LeadToRecord[]) =>
      inTransaction(pool, async (on) => {
        await insertLeads(on, await withoutErased(on, openKey, leads));
        return leads.map(() => true);
      }),
    { itemsMax: 50, runsMax: 2, failureScope: failureScopeOf },
  );
