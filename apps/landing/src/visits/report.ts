import {
  capturedText,
  consentSchema,
  consentWordsOf,
  decodeText,
  type ReadClickParameters,
  Refusal,
} from '@leadback/domain';
import {
  cookieReader,
  keptReferenceOf,
  leadOfReport,
  readReportedClick,
  type ReportedVisit,
} from '@leadback/core/leads/reported';
import { withdrawConsentIn } from '@leadback/core/leads/visitor';
import { bareAddress, crossOriginJson, isBrokenOff } from '@leadback/server/http';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { LandingContext } from '../context.ts';
import type { LeadPlace } from '../events.ts';
import type { ServedPage } from '../pages/served-page.ts';
import type { Exchange } from './exchange.ts';
import { keepLead, wordsOf } from './keep.ts';
import { classifyRequester } from './lead.ts';

// the longest URL that usual servers take, with a referrer and cookies
const bytesMax = 16 * 1024;

/** What the script tells of a visit. Of what is no text, nothing is kept. */
const reportSchema = z.object({
  url: z.string(),
  referrer: z.string().optional().catch(undefined),
  cookies: z.record(z.string(), z.unknown()).optional().catch(undefined),
  consent: consentSchema,
});

const end = (response: Response, status: number): void => void response.status(status).end();

type ReportHandler = RequestHandler<{ slug: string }>;
type Take = (page: ServedPage, request: Request<{ slug: string }>, response: Response) => Promise<void> | void;

/**
 * Calls `take` for a request that comes from a page of one of the origins, which may then read the response. Browsers say where a
 * request comes from; programs may say anything, and are limited like strangers.
 */
const fromOwnPages =
  ({ pages, events }: Pick<LandingContext, 'pages' | 'events'>, take: Take): ReportHandler =>
  async (request, response) => {
    const page = (await pages.find(request.params.slug, request.headers.host))?.page;
    if (page?.mode !== 'script') return end(response, 404);
    const { origin } = request.headers;
    if (origin === undefined || !page.origins.includes(origin)) {
      events.reportRefused(page.id, 'foreign');
      return end(response, 403);
    }
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Vary', 'Origin');
    await take(page, request, response);
  };

/** `OPTIONS /{slug}/lead`: browsers ask before they send JSON as such. */
export const allowReport = (context: Pick<LandingContext, 'pages' | 'events'>): ReportHandler =>
  fromOwnPages(context, (_page, _request, response) => {
    response.setHeader('Access-Control-Allow-Methods', 'POST');
    response.setHeader('Access-Control-Allow-Headers', 'content-type');
    response.setHeader('Access-Control-Max-Age', '7200');
    end(response, 204);
  });

type Report = z.output<typeof reportSchema>;

/** The report in the body, or the status of the response to what is none. */
const readReport = async (request: Request): Promise<Report | 413 | 422> => {
  try {
    const { success, data } = reportSchema.safeParse(await crossOriginJson(request, bytesMax));
    return success ? data : 422;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.code === 'body-too-large' ? 413 : 422;
  }
};

const headerOf = ({ headers }: Request, name: 'user-agent' | 'accept-language' | 'referer'): string =>
  decodeText(headers[name] ?? '');

/** What the request of a report says of its visitor. */
const requesterOf = (request: Request) => ({
  ip: bareAddress(request.ip ?? ''),
  userAgent: headerOf(request, 'user-agent'),
  acceptLanguage: capturedText(headerOf(request, 'accept-language')),
  globalPrivacyControl: request.headers['sec-gpc'] === '1',
  changesConsent: false,
  traceParent: undefined,
});

const visitOf = (request: Request, address: URL, { url, referrer, cookies, consent }: Report): ReportedVisit => ({
  reportedBy: 'script',
  url,
  address,
  referrer,
  cookieOf: cookieReader(cookies),
  consent: consentWordsOf(consent),
  ...requesterOf(request),
});

type Keeping = Pick<LandingContext, 'admitLead' | 'admitCampaign' | 'storeLead' | 'events'> & {
  readonly keys: Pick<LandingContext['keys'], 'reference'>;
};

/** Records the lead of a reported click, unless its network has left too many on the page. */
const keepReport = async (
  context: Keeping,
  { page, request }: Pick<Exchange, 'page' | 'request'>,
  visit: ReportedVisit,
  read: ReadClickParameters,
): Promise<{ readonly place: LeadPlace; readonly reference: string } | undefined> => {
  const { clickParameters } = read;
  if (!context.admitLead({ page, request }, () => clickParameters)) {
    context.events.visitedWithoutLead(page.mode, page.id, 'none_limited');
    return undefined;
  }
  const lead = leadOfReport(context.keys.reference, { accountId: page.accountId, isTest: false }, visit, read);
  const isCounted = context.admitCampaign({ page, request }, wordsOf(clickParameters));
  const stored = { ...lead, landingPageId: page.id, ...(!isCounted && { countsAsOther: true }) };
  return { place: await keepLead(context, { page, request }, stored), reference: lead.reference };
};

const noCookie = () => undefined;

/**
 * Records a click of Google that a browser tells in the background. The lead has a reference that nobody knows: the one that the script or
 * the advertiser's server reports takes its place. False: the request shows no such click.
 */
export const keepBackgroundClick = async (context: Keeping, exchange: Exchange): Promise<boolean> => {
  const { request, protocol, atMs } = exchange;
  const url = `${protocol}://${request.host ?? ''}${request.originalUrl}`;
  const address = URL.parse(url);
  const read = address ? readReportedClick({ url, cookieOf: noCookie }, atMs) : undefined;
  const { gclid, gbraid, wbraid } = read?.clickParameters ?? {};
  if (!address || !read || (gclid ?? gbraid ?? wbraid) === undefined) return false;
  const visit: ReportedVisit = {
    reportedBy: 'background',
    url,
    address,
    referrer: headerOf(request, 'referer'),
    cookieOf: noCookie,
    consent: {},
    ...requesterOf(request),
  };
  await keepReport(context, exchange, visit, read);
  return true;
};

/**
 * `POST /{slug}/lead`: records the click that the script reports, and responds with its lead reference: the same for the same click
 * of the same visitor. Nothing is read for it from PostgreSQL, which may be unavailable. Where consent is denied, nothing is kept,
 * and that of the lead which the browser keeps is withdrawn.
 */
export const takeReport = (context: LandingContext): ReportHandler =>
  fromOwnPages(context, async (page, request, response) => {
    const { database, events, keys, nowMs } = context;
    const refuse = (reason: 'foreign' | 'too_large' | 'unreadable', status: number) => {
      events.reportRefused(page.id, reason);
      end(response, status);
    };
    const report = await readReport(request);
    // no response can be sent
    if (isBrokenOff(request)) return;
    if (report === 413) return refuse('too_large', report);
    const address = report === 422 ? null : URL.parse(report.url);
    if (report === 422 || !address) return refuse('unreadable', 422);
    if (!page.origins.includes(address.origin)) return refuse('foreign', 403);
    if (classifyRequester(request) !== 'visitor') {
      events.visitedWithoutLead(page.mode, page.id, 'none_bot');
      return end(response, 204);
    }
    const visit = visitOf(request, address, report);
    const { adUserData } = visit.consent;
    if (adUserData === false) {
      const kept = keptReferenceOf(keys.reference, visit.cookieOf);
      if (kept !== null && context.admitWithdrawal(request, page.accountId))
        await withdrawConsentIn(database.pool, page.accountId, kept);
      return end(response, 204);
    }
    const read = readReportedClick(visit, nowMs());
    if (read === undefined) return end(response, 204);
    const kept = await keepReport(context, { page, request }, visit, read);
    if (!kept) return end(response, 204);
    if (kept.place === 'lost') {
      response.setHeader('Retry-After', '5');
      return end(response, 503);
    }
    const body = JSON.stringify({ reference: kept.reference });
    response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body, 'latin1');
  });
