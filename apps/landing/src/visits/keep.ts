import { type ClickParameters, type NewLead, queryParameterNames } from '@leadback/domain';
import { traceParentOf } from '@leadback/server/trace';
import type { LandingContext } from '../context.ts';
import type { LeadPlace } from '../events.ts';
import type { Exchange } from './exchange.ts';

/** Stores a lead, and counts where. */
export const keepLead = async (
  { storeLead, events }: Pick<LandingContext, 'storeLead' | 'events'>,
  { page, request: { span } }: Pick<Exchange, 'page' | 'request'>,
  lead: NewLead,
): Promise<LeadPlace> => {
  const place = await storeLead({ ...lead, traceParent: traceParentOf(span) });
  span.setAttribute('leadback.lead.kept', place);
  events.leadStored(page.mode, page.id, place);
  return place;
};

const wordNames = queryParameterNames.filter((name) => /^(?:utm|gad)_/.test(name));

/** What a click says in words, which anybody can invent. */
export const wordsOf = (clickParameters: ClickParameters): string | undefined =>
  wordNames.some((name) => clickParameters[name] !== undefined)
    ? wordNames
        .map((name) => clickParameters[name] ?? '')
        .join('\n')
        .trim() || undefined
    : undefined;
