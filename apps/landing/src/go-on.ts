import type { AskedField, LandingPage } from '@leadback/db';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { capturedText } from './captured-text.ts';
import { readClick } from './click.ts';
import type { LandingContext } from './context.ts';
import { isVisitor } from './is-visitor.ts';
import type { Contact } from './record-visit.ts';

// a form that is not as we made it is no reason to turn a visitor away: what cannot be read was not entered
const entered = z.string().optional().catch(undefined);
const formSchema = z
  .object({ name: entered, email: entered, phone: entered, consent: entered, referrer: entered })
  .catch({});

type Form = z.infer<typeof formSchema>;

const contactOf = (page: LandingPage, form: Form): Contact => {
  const answer = (field: AskedField) => (page.askedFields.includes(field) ? capturedText(form[field]?.trim()) : null);
  return {
    name: answer('name'),
    email: answer('email'),
    phone: answer('phone'),
    consent: page.consentText === null ? null : form.consent === 'yes',
  };
};

/** `POST /{slug}`: the visitor goes on. Records the lead and sends the browser to the advertiser's page. */
export const goOn =
  ({ findPage, recordVisit, events }: LandingContext): RequestHandler<{ slug: string }> =>
  async (request, response, next) => {
    const page = await findPage(request.params.slug);
    if (!page) return next();
    if (!isVisitor(request)) {
      events.botSentOn(page.mode);
      return response.redirect(303, page.targetUrl);
    }
    const form = formSchema.parse(request.body);
    const visit = { ...readClick(request), referrer: capturedText(form.referrer), ...contactOf(page, form) };
    response.redirect(303, await recordVisit(page, visit));
  };
