import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { LandingContext } from './context.ts';
import type { BuiltPage } from './pages/built-page.ts';
import { sendOn } from './send-on.ts';
import { sendPage } from './send-page.ts';
import { isVisitor } from './visits/is-visitor.ts';
import { readForm, type VisitForm } from './visits/visit-form.ts';
import { leadOfVisit } from './visits/visit-lead.ts';

/** The page as it was filled in, with what has to be mended. */
export const filledIn = (
  built: BuiltPage,
  { contact, problems, referrer, token }: VisitForm,
  isPreview = false,
): string =>
  built.showAgain({
    token: token ?? randomUUID(),
    referrer: referrer ?? '',
    entered: contact,
    hasConsented: contact.consent === true,
    problems,
    isPreview,
  });

/**
 * `POST /{slug}`: the visitor goes on. Records the lead and sends the browser to the advertiser's page; a form in which
 * something is missing is given back.
 */
export const goOn =
  ({ findPage, keepLead, referenceKey, events }: LandingContext): RequestHandler<{ slug: string }> =>
  async (request, response, next) => {
    const built = await findPage(request.params.slug);
    if (!built) return next();
    const { page } = built;
    const exchange = { page, request, response };
    if (!isVisitor(request)) return sendOn({ keepLead, events }, exchange, 303, undefined);
    const form = readForm(page, request.body);
    if (form.problems.length > 0) {
      events.formReturned();
      response.status(422);
      return sendPage(response, built, filledIn(built, form));
    }
    await sendOn({ keepLead, events }, exchange, 303, leadOfVisit(referenceKey, exchange, form));
  };
