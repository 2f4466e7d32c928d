import { networkOf } from '@leadback/http';
import { renderErasureAsked, renderQuestion } from '@leadback/landing-page/visitor';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { languageOf } from '../language-of.ts';
import { forgetLead } from '../visits/lead-cookie.ts';
import { isFromOwnPage } from '../visits/own-form.ts';
import { type LeadHandle, decryptHandle } from './lead-handle.ts';
import { sendVisitorPage } from './send-visitor-page.ts';
import type { VisitorContext } from './visitor-context.ts';
import { ownLead, showLead, showLeadsOfBrowser } from './visitor-view.ts';

const text = z.string().max(2_048).optional().catch(undefined);
const formSchema = z.object({ reference: text, handle: text, confirmed: text }).catch({});

type Handler = (context: VisitorContext) => RequestHandler;
type WithHandle = (handle: LeadHandle, encrypted: string, request: Request, response: Response) => Promise<void> | void;

/** Calls `then` with the lead of the form. Others' forms and old ones change nothing. */
const withHandle =
  (context: VisitorContext, then: WithHandle): RequestHandler =>
  async (request, response) => {
    const { handle: encrypted = '' } = formSchema.parse(request.body);
    const handle = isFromOwnPage(request) ? decryptHandle(context.handleKeys, encrypted, context.nowMs()) : undefined;
    if (handle) return then(handle, encrypted, request, response);
    response.status(422);
    await showLeadsOfBrowser(context, request, response, 'expired');
  };

/** `GET /data`: the leads that this browser has left. */
export const showData: Handler = (context) => (request, response) => showLeadsOfBrowser(context, request, response);

/** `POST /data`: the lead with a reference. */
export const lookUpLead: Handler = (context) => async (request, response) => {
  if (!isFromOwnPage(request)) return showLeadsOfBrowser(context, request, response.status(422), 'expired');
  const { reference = '' } = formSchema.parse(request.body);
  await showLead(context, request, response, { reference: reference.trim() });
};

/** `POST /data/consent`: withdraws consent; asks before, unless the browser has left the lead. Again, it changes nothing. */
export const withdrawConsent: Handler = (context) =>
  withHandle(context, async ({ reference }, encrypted, request, response) => {
    const own = ownLead(context, request, reference);
    const { confirmed } = formSchema.parse(request.body);
    if (!own && confirmed !== 'yes') {
      return sendVisitorPage(request, response, renderQuestion(languageOf(request), 'withdraw', encrypted));
    }
    await context.withdrawConsent(reference);
    const message = 'withdrawn';
    if (own) return showLeadsOfBrowser(context, request, response, message);
    await showLead(context, request, response, { reference, message });
  });

/**
 * `POST /data/erase`: asks whether to erase a lead, and then for the erasure: the same form again for the same one. If the
 * browser has not left the lead, the account decides.
 */
export const eraseLead: Handler = (context) =>
  withHandle(context, async ({ reference, accountId, erasureId }, encrypted, request, response) => {
    const language = languageOf(request);
    const own = ownLead(context, request, reference);
    const { confirmed } = formSchema.parse(request.body);
    if (confirmed !== 'yes') {
      return sendVisitorPage(request, response, renderQuestion(language, own ? 'erase' : 'ask', encrypted));
    }
    const id = await context.askErasure({
      id: erasureId,
      accountId,
      lead: own ?? { reference },
      network: networkOf(request.ip ?? ''),
    });
    if (own) forgetLead({ protocol: request.protocol, response }, reference);
    sendVisitorPage(request, response, renderErasureAsked(language, id, own !== undefined));
  });
