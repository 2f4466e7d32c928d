import { instruments, type Metrics } from '@leadback/runtime';

/** Exports the length of the dead-letter queue of leads. */
export const watchDeadLeads = (metrics: Metrics, deadLeads: () => Promise<number | undefined>): void => {
  instruments(metrics).gauge({
    name: 'leadback_leads_dead',
    help: 'Leads in the dead-letter queue lead.dead.v1, which no app consumes',
    async refresh(dead) {
      const leads = await deadLeads();
      if (leads !== undefined) dead.set(leads);
    },
  });
};
