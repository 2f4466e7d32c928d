import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { LandingContext } from './context.ts';
import type { BuiltPage } from './pages/built-page.ts';
import { sendOn } from './send-on.ts';
import { sendPage } from './send-page.ts';
import { readClick } from './visits/click.ts';
import { isVisitor } from './visits/is-visitor.ts';
import type { Exchange } from './visits/remembered-click.ts';
import { leadOfVisit, rememberShownClick } from './visits/visit-lead.ts';

const showToVisitor = (built: BuiltPage, exchange: Exchange): void => {
  const click = readClick(exchange.request);
  rememberShownClick(exchange, click);
  sendPage(exchange.response, built, built.show({ token: randomUUID(), referrer: click.referrer ?? '' }));
};

const showToNobody = (built: BuiltPage, { request, response }: Exchange): void => {
  const { html, etag } = built.forNobody;
  response.set({ ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'User-Agent, Sec-Purpose' });
  if (request.fresh) response.status(304).end();
  else sendPage(response, built, html);
};

/** `GET /{slug}`: the page; or, in direct mode, straight on to the advertiser with a lead for whoever is a visitor. */
export const showPage =
  ({ findPage, keepLead, referenceKey, events }: LandingContext): RequestHandler<{ slug: string }> =>
  async (request, response, next) => {
    const built = await findPage(request.params.slug);
    if (!built) return next();
    const { page } = built;
    const exchange = { page, request, response };
    const isSomebody = isVisitor(request);
    if (page.mode === 'page') return isSomebody ? showToVisitor(built, exchange) : showToNobody(built, exchange);
    const lead = isSomebody ? leadOfVisit(referenceKey, exchange) : undefined;
    await sendOn({ keepLead, events }, exchange, 302, lead);
  };
