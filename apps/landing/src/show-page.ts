import { randomUUID } from 'node:crypto';
import { type Keys, signConsentRequest } from '@leadback/domain';
import type { RequestHandler } from 'express';
import type { LandingContext } from './context.ts';
import { declinePrefetch } from './decline-prefetch.ts';
import type { BuiltPage } from './pages/built-page.ts';
import { sendOn } from './send-on.ts';
import { sendPage } from './send-page.ts';
import { readClick } from './visits/click.ts';
import type { Exchange } from './visits/exchange.ts';
import { leadOfVisit, rememberShownClick } from './visits/visit-lead.ts';
import { type Asking, isNavigation, whoAsks } from './visits/who-asks.ts';

// what was fetched ahead is what its visitor will see, and send
const showToVisitor = (keys: Keys, built: BuiltPage, exchange: Exchange, asking: Asking): void => {
  const click = readClick(exchange.request);
  if (asking === 'visitor') rememberShownClick(exchange, click);
  const { request, response } = exchange;
  const token = randomUUID();
  const signature = signConsentRequest(keys, built.consentRequest, token);
  sendPage(request, response, built, built.show({ token, signature, referrer: click.referrer ?? '' }));
};

const showToNobody = (built: BuiltPage, { request, response }: Exchange): void => {
  const { html, etag } = built.forNobody;
  response.set({
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': built.contentSecurityPolicy,
    ETag: etag,
    Vary: 'User-Agent',
  });
  if (request.fresh) response.status(304).end();
  else response.type('html').send(html);
};

/** `GET /{slug}`: the page; or, in direct mode, straight on to the advertiser with a lead for whoever is a visitor. */
export const showPage =
  ({ findPage, keepLead, referenceKeys, consentKeys, events }: LandingContext): RequestHandler<{ slug: string }> =>
  async (request, response, next) => {
    const built = await findPage(request.params.slug);
    if (!built) return next();
    const { page } = built;
    const exchange = { page, request, response };
    const asking = whoAsks(request);
    if (page.mode === 'page') {
      return asking === 'nobody' ? showToNobody(built, exchange) : showToVisitor(consentKeys, built, exchange, asking);
    }
    if (asking === 'prefetch') return declinePrefetch(request, response);
    const isVisit = asking === 'visitor' && isNavigation(request);
    const lead = isVisit ? leadOfVisit(referenceKeys, exchange) : undefined;
    await sendOn({ keepLead, events }, exchange, 302, lead);
  };
