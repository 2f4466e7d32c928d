import type { RequestHandler } from 'express';
import { readClick } from './click.ts';
import type { LandingContext } from './context.ts';
import { isVisitor } from './is-visitor.ts';
import { renderLandingPage } from './page-template.ts';

const nothingEntered = { name: null, email: null, phone: null, consent: null };

/** `GET /{slug}`: the page; or, in direct mode, straight on to the advertiser with a lead for whoever is a visitor. */
export const showPage =
  ({ findPage, recordVisit, events }: LandingContext): RequestHandler<{ slug: string }> =>
  async (request, response, next) => {
    const page = await findPage(request.params.slug);
    if (!page) return next();
    const click = readClick(request);
    if (page.mode === 'page') {
      response.type('html').send(renderLandingPage(page, click.referrer));
    } else if (isVisitor(request)) {
      response.redirect(302, await recordVisit(page, { ...click, ...nothingEntered }));
    } else {
      events.botSentOn(page.mode);
      response.redirect(302, page.targetUrl);
    }
  };
