import { instruments, type Metrics } from '@leadback/runtime';

/** Shows how many leads are with the dead letters, whoever has laid them there and when. */
export const watchDeadLeads = (metrics: Metrics, deadLeads: () => Promise<number | undefined>): void => {
  instruments(metrics).gauge({
    name: 'leadback_leads_dead',
    help: 'Leads in the queue lead.dead.v1, which nobody takes from by itself',
    async refresh(dead) {
      const leads = await deadLeads();
      if (leads !== undefined) dead.set(leads);
    },
  });
};
