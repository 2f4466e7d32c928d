import { instruments, type Metrics } from '@leadback/server/app';
import type { LeadStore } from './lead-store.ts';

/** Exports the length of the dead-letter queue of leads, and the size of the leads on disk. */
export const watchLeadBuffers = (
  metrics: Metrics,
  { deadLeads, spoolBytes }: Pick<LeadStore, 'deadLeads' | 'spoolBytes'>,
  spoolBytesMax: number,
): void => {
  const { gauge } = instruments(metrics);
  gauge({
    name: 'leadback_leads_dead',
    help: 'Leads in the dead-letter queue lead.dead.v1, which no app consumes',
    async refresh(dead) {
      const leads = await deadLeads();
      if (leads !== undefined) dead.set(leads);
    },
  });
  gauge({
    name: 'leadback_lead_spool_bytes',
    help: 'Size of LEAD_SPOOL_FOLDER, measured every minute',
    refresh: (size) => size.set(spoolBytes()),
  });
  gauge({
    name: 'leadback_lead_spool_bytes_max',
    help: 'A folder of this size takes no more leads',
    refresh: (max) => max.set(spoolBytesMax),
  });
};
