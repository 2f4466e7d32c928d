import { type NewLead, withServiceId } from '@leadback/domain';
import { traceParentOf } from '@leadback/tracing';
import type { LandingContext } from './context.ts';
import type { Exchange } from './visits/exchange.ts';

/**
 * Redirects the browser to the target page, which only the operator can set: with the lead reference once the lead is
 * stored; without it for bots and if the lead is lost.
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
  const place = await storeLead({ ...lead, traceParent: traceParentOf(request.span) });
  request.span.setAttribute('leadback.lead.kept', place);
  events.leadStored(page.mode, page.id, place);
  response.redirect(status, place === 'lost' ? page.targetUrl : withServiceId(page.targetUrl, lead.reference));
};
