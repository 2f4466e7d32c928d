import { type NewLead, withServiceId } from '@leadback/domain';
import { traceParentOf } from '@leadback/tracing';
import type { LandingContext } from './context.ts';
import type { Exchange } from './visits/exchange.ts';

/**
 * Sends the browser on to the advertiser's own page, which the operator has set and no request can change: with the
 * reference of the lead, once it is kept; as it is for whoever is no visitor, or where the lead is lost.
 */
export const redirectToTarget = async (
  { storeLead, events }: Pick<LandingContext, 'storeLead' | 'events'>,
  { page, request, response }: Exchange,
  status: 302 | 303,
  lead: NewLead | undefined,
): Promise<void> => {
  if (lead === undefined) {
    events.botRedirected(page.mode);
    return response.redirect(status, page.targetUrl);
  }
  const kept = await storeLead({ ...lead, traceParent: traceParentOf(request.span) });
  request.span.setAttribute('leadback.lead.kept', kept);
  events.leadStored(page.mode, page.id, kept);
  response.redirect(status, kept === 'lost' ? page.targetUrl : withServiceId(page.targetUrl, lead.reference));
};
