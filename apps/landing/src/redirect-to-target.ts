import { traceParentOf } from '@leadback/tracing';
import type { Response } from 'express';
import type { LandingContext } from './context.ts';
import type { NoLead } from './events.ts';
import type { Exchange } from './visits/exchange.ts';
import { rememberLead } from './visits/lead-cookie.ts';
import type { VisitForm } from './visits/visit-form.ts';
import { type LeftLead, leadOfVisit } from './visits/visit-lead.ts';

/** Redirects without a body: browsers do not show it, and to choose one costs more than the rest of the response. */
export const redirect = (response: Response, status: 302 | 303, url: string): void => {
  response.writeHead(status, { Location: url, 'Content-Length': 0 }).end();
};

/**
 * Redirects the browser to the target page, which only the operator can set: with the lead reference once the lead is
 * stored; without it if there is no lead, or if it is lost.
 */
export const redirectToTarget = async (
  { storeLead, events }: Pick<LandingContext, 'storeLead' | 'events'>,
  exchange: Exchange,
  status: 302 | 303,
  left: LeftLead | NoLead,
): Promise<void> => {
  const { built, page, request, response } = exchange;
  if (typeof left === 'string') {
    events.redirectedWithoutLead(page.mode, page.id, left);
    return redirect(response, status, built.targetUrl());
  }
  const { lead, cookie } = left;
  const place = await storeLead({ ...lead, traceParent: traceParentOf(request.span) });
  request.span.setAttribute('leadback.lead.kept', place);
  events.leadStored(page.mode, page.id, place);
  if (place !== 'lost') rememberLead(exchange, lead.reference, cookie);
  redirect(response, status, built.targetUrl(place === 'lost' ? undefined : lead.reference));
};

/** The same for a visit: with its lead, unless its network has left too many on the page. */
export const redirectVisit = (
  context: Pick<LandingContext, 'storeLead' | 'admitLead' | 'admitCampaign' | 'references' | 'events'>,
  exchange: Exchange,
  status: 302 | 303,
  form?: VisitForm,
): Promise<void> => {
  if (!context.admitLead(exchange)) return redirectToTarget(context, exchange, status, 'none_limited');
  const left = leadOfVisit(context.references, exchange, form);
  const isCounted = context.admitCampaign(exchange, left.lead.clickParameters.utm_campaign);
  const counted = isCounted ? left : { ...left, lead: { ...left.lead, countsAsOther: true } };
  return redirectToTarget(context, exchange, status, counted);
};
