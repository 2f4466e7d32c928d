import type { Logger, Metrics } from '@leadback/runtime';
import { Counter } from 'prom-client';

/** One function per thing that happened: a count, and a line where somebody would look for it. */
export const landingEvents = (log: Logger, metrics: Metrics) => {
  const visits = new Counter({
    name: 'leadback_visits_total',
    help: 'Visitors sent on to the advertiser, by the mode of the page and what became of the lead',
    labelNames: ['mode', 'lead'],
    registers: [metrics],
  });
  return {
    leadRecorded: (mode: string) => visits.inc({ mode, lead: 'recorded' }),
    botSentOn: (mode: string) => visits.inc({ mode, lead: 'none: bot' }),
    leadNotRecorded: (mode: string, landingPageId: number, error: unknown) => {
      visits.inc({ mode, lead: 'lost' });
      log.error({ err: error, landingPageId }, 'lead not recorded; the visitor went on without a reference');
    },
  };
};

export type LandingEvents = ReturnType<typeof landingEvents>;
