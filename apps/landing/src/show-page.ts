import type { RequestHandler } from 'express';
import type { LandingContext } from './context.ts';
import { declinePrefetch } from './decline-prefetch.ts';
import { redirectToTarget, redirectVisit } from './redirect-to-target.ts';
import { sendPage } from './send-page.ts';
import { readShownClick } from './visits/click.ts';
import { type Exchange, exchangeOf } from './visits/exchange.ts';
import { storeShownClick } from './visits/visit-lead.ts';
import { type Requester, isNavigation, classifyRequester } from './visits/classify-requester.ts';

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
    const built = await context.findPage(request.params.slug);
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
