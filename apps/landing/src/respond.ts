import { randomUUID } from 'node:crypto';
import type { Request, Response, RequestHandler } from 'express';
import { traceParentOf } from '@leadback/server/trace';
import { signConsentRequest } from '@leadback/domain/keys';
import type { LandingContext } from './context.ts';
import type { NoLead } from './events.ts';
import { type Exchange, exchangeOf } from './visits/exchange.ts';
import { rememberLead } from './visits/lead-cookie.ts';
import { type VisitForm, readForm, formState, recognizeSigned } from './visits/form.ts';
import { type LeftLead, leadOfVisit, storeShownClick } from './visits/lead.ts';
import { findPreview } from './pages/served-page.ts';
import { sendPage } from './send.ts';
import { readShownClick, type Requester, isNavigation, classifyRequester } from './visits/click.ts';

/**
 * Declines a prefetch with 503. The browser would cache a redirect and follow it at the click, without a lead; after a
 * 503 it sends a new request.
 */
const declinePrefetch = (request: Request, response: Response): void => {
  request.isDeclined = true;
  response.status(503).set('Cache-Control', 'no-store').type('text').send('not available before the click\n');
};

/** Redirects without a body: browsers do not show it, and to choose one costs more than the rest of the response. */
const redirect = (response: Response, status: 302 | 303, url: string): void => {
  response.writeHead(status, { Location: url, 'Content-Length': 0 }).end();
};

/**
 * Redirects the browser to the target page, which only the operator can set: with the lead reference once the lead is
 * stored; without it if there is no lead, or if it is lost.
 */
const redirectToTarget = async (
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
const redirectVisit = (
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

// a prefetched page is what its visitor sees and submits
const showToVisitor = (
  { issueForm }: Pick<LandingContext, 'issueForm'>,
  exchange: Exchange,
  requester: Requester,
): void => {
  const click = readShownClick(exchange);
  if (requester === 'visitor') storeShownClick(exchange, click);
  const { built, request, response } = exchange;
  const form = issueForm(built.consentRequest);
  sendPage(request, response, built, built.show({ ...form, referrer: click.referrer ?? '' }));
};

const showToBot = ({ built, request, response }: Exchange): void => {
  const { html, etag } = built.forBots;
  response.set({
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': built.contentSecurityPolicy,
    ETag: etag,
    Vary: 'User-Agent',
  });
  if (request.fresh) response.status(304).end();
  else response.type('html').send(html);
};

/**
 * `GET /{slug}`: shows the page; in direct mode, redirects to the target page, with a lead if the requester is a
 * visitor.
 */
export const showPage =
  (context: LandingContext): RequestHandler<{ slug: string }> =>
  async (request, response, next) => {
    const built = await context.pages.find(request.params.slug);
    if (!built) return next();
    const { page } = built;
    const exchange = exchangeOf(built, request, response, context.nowMs());
    const requester = classifyRequester(request);
    if (page.mode === 'page') {
      return requester === 'bot' ? showToBot(exchange) : showToVisitor(context, exchange, requester);
    }
    if (requester === 'prefetch') return declinePrefetch(request, response);
    const isVisit = requester === 'visitor' && isNavigation(request);
    if (!isVisit) return redirectToTarget(context, exchange, 302, 'none_bot');
    await redirectVisit(context, exchange, 302);
  };

/**
 * `POST /{slug}`: records the lead and redirects to the target page. A form with missing or unusable values is
 * returned for correction.
 */
export const submitPage =
  (context: LandingContext): RequestHandler<{ slug: string }> =>
  async (request, response, next) => {
    const built = await context.pages.find(request.params.slug);
    if (!built) return next();
    const { page } = built;
    const exchange = exchangeOf(built, request, response, context.nowMs());
    // a direct page has no form: only bots post to it
    const isVisit = page.mode === 'page' && classifyRequester(request) === 'visitor' && isNavigation(request);
    if (!isVisit) return redirectToTarget(context, exchange, 303, 'none_bot');
    const form = readForm(page, request.body, recognizeSigned(context.keys.consent, exchange));
    if (form.problems.length > 0) {
      context.events.formReturned();
      response.status(422);
      const shown = formState(built, form, exchange.atMs);
      const signature = signConsentRequest(context.keys.consent, built.consentRequest, shown.token);
      return sendPage(request, response, built, built.showAgain({ ...shown, signature }));
    }
    await redirectVisit(context, exchange, 303, form);
  };

type Preview = (context: Pick<LandingContext, 'database' | 'keys'>) => RequestHandler<{ code: string }>;

/** `GET /preview/{code}`: the page as visitors see it, for an operator with the preview URL. Records nothing. */
export const showPreview: Preview =
  ({ database, keys }) =>
  async (request, response, next) => {
    const built = await findPreview(database, keys.preview, request.params.code);
    if (!built) return next();
    if (built.page.mode === 'direct') return redirect(response, 302, built.targetUrl());
    sendPage(
      request,
      response,
      built,
      built.showAgain({ token: randomUUID(), signature: '', referrer: '', isPreview: true }),
    );
  };

/** `POST /preview/{code}`: validates and redirects like `POST /{slug}`, but records no lead. */
export const submitPreview: Preview =
  ({ database, keys }) =>
  async (request, response, next) => {
    const built = await findPreview(database, keys.preview, request.params.code);
    if (!built) return next();
    const form = readForm(built.page, request.body, () => true);
    if (form.problems.length === 0) return redirect(response, 303, built.targetUrl());
    response.status(422);
    sendPage(
      request,
      response,
      built,
      built.showAgain({ ...formState(built, form, Date.now()), signature: '', isPreview: true }),
    );
  };
