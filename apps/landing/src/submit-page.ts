import { signConsentRequest } from '@leadback/secrets';
import type { RequestHandler } from 'express';
import type { LandingContext } from './context.ts';
import { redirectToTarget, redirectVisit } from './redirect-to-target.ts';
import { sendPage } from './send-page.ts';
import { formState } from './visits/form-state.ts';
import { recognizeSigned } from './visits/form-consent.ts';
import { readForm } from './visits/visit-form.ts';
import { exchangeOf } from './visits/exchange.ts';
import { isNavigation, classifyRequester } from './visits/classify-requester.ts';

/**
 * `POST /{slug}`: records the lead and redirects to the target page. A form with missing or unusable values is
 * returned for correction.
 */
export const submitPage =
  (context: LandingContext): RequestHandler<{ slug: string }> =>
  async (request, response, next) => {
    const built = await context.findPage(request.params.slug);
    if (!built) return next();
    const { page } = built;
    const exchange = exchangeOf(built, request, response, context.nowMs());
    // a direct page has no form: only bots post to it
    const isVisit = page.mode === 'page' && classifyRequester(request) === 'visitor' && isNavigation(request);
    if (!isVisit) return redirectToTarget(context, exchange, 303, 'none_bot');
    const form = readForm(page, request.body, recognizeSigned(context.consentKeys, exchange));
    if (form.problems.length > 0) {
      context.events.formReturned();
      response.status(422);
      const shown = formState(built, form);
      const signature = signConsentRequest(context.consentKeys, built.consentRequest, shown.token);
      return sendPage(request, response, built, built.showAgain({ ...shown, signature }));
    }
    await redirectVisit(context, exchange, 303, form);
  };
