import type { ShownLead, VisitorMessage } from '@leadback/landing-page/visitor';
import { renderVisitorPage } from '@leadback/landing-page/visitor';
import type { LeadToShow, StoredLead } from '@leadback/intake';
import { isGenuineLeadReference, type OwnLead, randomBase62 } from '@leadback/secrets';
import type { Request, Response } from 'express';
import { languageOf } from '../language-of.ts';
import { readCookies } from '../visits/cookies.ts';
import { ownLeadsOf } from '../visits/lead-cookie.ts';
import { encryptHandle } from './lead-handle.ts';
import { sendVisitorPage } from './send-visitor-page.ts';
import type { VisitorContext } from './visitor-context.ts';

// keeps the page below 14 KB, the initial congestion window of TCP; erased leads make room for older ones
const leadsMax = 10;
const erasureIdLength = 22;

type Context = Pick<VisitorContext, 'readLeads' | 'pageById' | 'referenceKeys' | 'proofKeys' | 'handleKeys' | 'nowMs'>;

const handleOf = ({ handleKeys, nowMs }: Context, reference: string, accountId: number): string =>
  encryptHandle(handleKeys, { reference, accountId, erasureId: randomBase62(erasureIdLength) }, nowMs());

const shownStored = (context: Context, { reference, accountId, lead }: StoredLead): ShownLead => ({
  handle: handleOf(context, reference, accountId),
  lead,
  page: lead,
});

/** The leads that this browser proves to have left. */
export const ownLeads = ({ proofKeys }: Pick<Context, 'proofKeys'>, request: Request): OwnLead[] =>
  ownLeadsOf(proofKeys, readCookies(request.headers.cookie));

/** The lead with this reference, if this browser proves to have left it. */
export const ownLead = (
  context: Pick<Context, 'proofKeys'>,
  request: Request,
  reference: string,
): OwnLead | undefined => ownLeads(context, request).find((own) => own.reference === reference);

/** The leads that this browser has left: those that are not recorded yet first, then the newest. */
const leadsOfBrowser = async (context: Context, request: Request): Promise<ShownLead[]> => {
  const own = ownLeads(context, request);
  const stored = await context.readLeads(own);
  const known = new Set(stored.map(({ reference }) => reference));
  const buffered = own.flatMap(({ reference, pageId }): ShownLead[] => {
    const page = known.has(reference) ? undefined : context.pageById(pageId);
    return page ? [{ handle: handleOf(context, reference, page.accountId), lead: null, page }] : [];
  });
  return [...buffered, ...stored.map((one) => shownStored(context, one))].slice(0, leadsMax);
};

/** Shows the leads that the browser has left. */
export const showLeadsOfBrowser = async (
  context: Context,
  request: Request,
  response: Response,
  message?: VisitorMessage,
): Promise<void> => {
  const leads = await leadsOfBrowser(context, request);
  sendVisitorPage(request, response, renderVisitorPage(languageOf(request), { leads, message, isOfBrowser: true }));
};

/** Shows one lead, or says that there is none: no more than its reference may show, unless the browser has left it. */
export const showLead = async (
  context: Context,
  request: Request,
  response: Response,
  { reference, message }: { readonly reference: string; readonly message?: VisitorMessage },
): Promise<void> => {
  const isGenuine = isGenuineLeadReference(context.referenceKeys, reference);
  const wanted: LeadToShow = ownLead(context, request, reference) ?? { reference };
  const stored = isGenuine ? await context.readLeads([wanted]) : [];
  if (stored.length === 0 && message === undefined) response.status(404);
  const page = {
    leads: stored.map((one) => shownStored(context, one)),
    message: message ?? (stored.length === 0 ? ('notFound' as const) : undefined),
    isOfBrowser: false,
  };
  sendVisitorPage(request, response, renderVisitorPage(languageOf(request), page));
};
