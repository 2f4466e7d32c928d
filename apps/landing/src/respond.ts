import { randomUUID } from 'node:crypto';
import type { Request, Response, RequestHandler } from 'express';
import { signConsentRequest } from '@leadback/domain/keys';
import type { LandingContext } from './context.ts';
import type { NoLead } from './events.ts';
import { type Exchange, exchangeOf, rememberLead, shareReference } from './visits/exchange.ts';
import { keepLead, wordsOf } from './visits/keep.ts';
import { keepBackgroundClick } from './visits/report.ts';
import { type VisitForm, readForm, formState, recognizeSigned } from './visits/form.ts';
import {
  type LeftLead,
  parameterOf,
  leadOfVisit,
  storeShownClick,
  readShownClick,
  type Requester,
  isBeacon,
  isNavigation,
  classifyRequester,
} from './visits/lead.ts';
import { type BuiltPage, findPreview, type SendableText } from './pages/served-page.ts';
import { cachedBy } from './pages/pages.ts';
import { type Language, languages } from '@leadback/domain';
import { contentSecurityPolicy, pageStyle, renderNotice } from '@leadback/core/pages/render/page';
import { type Notice, pageMessages } from '@leadback/core/pages/render/page-messages';

const acceptsGzip = cachedBy();

/** Sends a page, compressed if the browser takes that. */
export const sendHtml = (request: Request, response: Response, policy: string, html: SendableText): void => {
  const isGzipped = acceptsGzip(request.get('accept-encoding') ?? '', () => request.acceptsEncodings('gzip') !== false);
  const body = isGzipped ? html.gzipped() : html.plain();
  response.writeHead(response.statusCode, {
    'Content-Security-Policy': policy,
    Vary: 'Accept-Encoding',
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...(isGzipped && { 'Content-Encoding': 'gzip' }),
  });
  // After all requests that have arrived are read: a write runs the kernel's network code, which pushes ours out of the
  // processor's caches. One response after the other, a page costs a third more.
  setImmediate(() => response.end(body));
};

const sendPage = (request: Request, response: Response, built: BuiltPage, html: SendableText): void =>
  sendHtml(request, response, built.contentSecurityPolicy, html);

/** `GET /media/{name}`: an uploaded image. It never changes, so browsers may cache it forever. */
export const sendImage =
  ({ findImage }: Pick<LandingContext, 'findImage'>): RequestHandler<{ name: string }> =>
  async (request, response, next) => {
    const image = await findImage(request.params.name);
    if (!image) return next();
    response.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      ETag: `"${image.name}"`,
    });
    if (request.fresh) response.status(304).end();
    else response.type(image.mediaType).send(image.bytes);
  };

/** The language of the browser, among those of the built-in pages. */
export const languageOf = (request: Request): Language =>
  languages.find((one) => one === request.acceptsLanguages(...languages)) ?? languages[0];

const noticeStyle = pageStyle(null);
const noticePolicy = contentSecurityPolicy(noticeStyle);
const noticeOf = { 404: 'notFound', 503: 'notNow' } as const;

/** Sends a notice in the language of the browser. */
export const sendNotice = (
  request: Request,
  response: Response,
  status: 404 | 429 | 503,
  noticeIn: (language: Language) => Notice,
): void => {
  const language = languageOf(request);
  response.status(status).set('Content-Security-Policy', noticePolicy).type('html');
  response.send(renderNotice(noticeIn(language), language, noticeStyle));
};

/** Sends the error page of landing pages. */
export const sendErrorPage = (request: Request, response: Response, status: 404 | 503): void =>
  sendNotice(request, response, status, (language) => pageMessages[language][noticeOf[status]]);

// Each page has its own Content-Security-Policy.
const always = Object.entries({
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  // the target page learns the host the visitor comes from, but not the click ids in the URL
  'Referrer-Policy': 'strict-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  // the filter of old browsers could be turned against the page
  'X-XSS-Protection': '0',
  // images and crawlers' pages say otherwise
  'Cache-Control': 'no-store',
});

// of what no browser shows
const ofData = always.filter(([name]) => name === 'X-Content-Type-Options' || name === 'Cache-Control');

const yearSeconds = 31_536_000;
const overTls = `max-age=${yearSeconds}`;

/**
 * Sets the security headers of every response; HSTS only if the visitor used TLS, to this app or to the proxy. A report's response is for
 * a script, and the headers of documents take a tenth of its CPU time.
 */
export const securityHeaders: RequestHandler = (request, response, next) => {
  for (const [name, value] of request.url.endsWith('/lead') ? ofData : always) response.setHeader(name, value);
  if (request.secure) response.setHeader('Strict-Transport-Security', overTls);
  next();
};

/**
 * Declines a prefetch with 503. The browser would cache a redirect and follow it at the click, without a lead; after a
 * 503 it sends a new request.
 */
const declinePrefetch = (request: Request, response: Response): void => {
  request.isDeclined = true;
  response.status(503).set('Cache-Control', 'no-store').type('text').send('not available before the click\n');
};

/** Redirects without a body: browsers do not show it, and to choose one costs more than the rest of the response. */
const redirect = (response: Response, status: 302 | 303, url: string): void => {
  response.writeHead(status, { Location: url, 'Content-Length': 0 }).end();
};

/**
 * Redirects the browser to the target page, which only the operator can set: with the lead reference once the lead is
 * stored; without it if there is no lead, or if it is lost.
 */
const redirectToTarget = async (
  { storeLead, events }: Pick<LandingContext, 'storeLead' | 'events'>,
  exchange: Exchange,
  status: 302 | 303,
  left: LeftLead | NoLead,
): Promise<void> => {
  const { built, page, response } = exchange;
  if (typeof left === 'string') {
    events.visitedWithoutLead(page.mode, page.id, left);
    if (left === 'none_bot') return redirect(response, status, built.targetUrl());
    const { clickParameters: sent } = readShownClick(exchange);
    return redirect(response, status, built.targetUrl({ sent, otherOf: parameterOf(exchange) }));
  }
  const { lead, sent, cookie } = left;
  const place = await keepLead({ storeLead, events }, exchange, lead);
  if (place !== 'lost') {
    rememberLead(exchange, lead.reference, cookie);
    shareReference(exchange, lead);
  }
  const reference = place === 'lost' ? undefined : lead.reference;
  redirect(response, status, built.targetUrl({ reference, sent, otherOf: parameterOf(exchange) }));
};

/** The same for a visit: with its lead, unless its network has left too many on the page. */
const redirectVisit = (
  context: Pick<LandingContext, 'storeLead' | 'admitLead' | 'admitCampaign' | 'references' | 'events'>,
  exchange: Exchange,
  status: 302 | 303,
  form?: VisitForm,
): Promise<void> => {
  const readClick = () => readShownClick(exchange).clickParameters;
  if (!context.admitLead(exchange, readClick)) return redirectToTarget(context, exchange, status, 'none_limited');
  const left = leadOfVisit(context.references, exchange, form);
  const isCounted = context.admitCampaign(exchange, wordsOf(left.lead.clickParameters));
  const counted = isCounted ? left : { ...left, lead: { ...left.lead, countsAsOther: true } };
  return redirectToTarget(context, exchange, status, counted);
};

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

/** The path of a page on the host that the visitor has asked; another one than the visitor's if the page had that one before. */
const pathOf = ({ page: { slug, ownSlug }, domain }: BuiltPage): string =>
  `/${domain === undefined ? slug : (ownSlug ?? slug)}`;

/** With all that the click said. */
const queryOf = ({ originalUrl }: Request): string => /\?.*$/.exec(originalUrl)?.[0] ?? '';

/** Whether a browser may tell a page of a click in the background; pages that are shown take none. */
const mayBeTold = ({ page, request }: Exchange, requester: Requester): boolean =>
  page.mode !== 'page' && requester === 'visitor' && isBeacon(request);

/** Ends a request of which nobody sees where it would lead. */
const endBeacon = (response: Response): void => void response.status(204).end();

/**
 * `GET /{slug}`: shows the page; in direct mode, redirects to the target page, with a lead if the requester is a
 * visitor. In script mode, the page to which it redirects records the lead. A former address of a page redirects to its present
 * one; that of another mode does what the present one does, without one request more.
 */
export const showPage =
  (context: LandingContext): RequestHandler<{ slug: string }> =>
  async (request, response, next) => {
    const built = await context.pages.find(request.params.slug, request.headers.host);
    if (!built) return next();
    const { page } = built;
    const exchange = exchangeOf(built, request, response, context);
    const requester = classifyRequester(request);
    if (page.mode === 'page') {
      const path = pathOf(built);
      if (path !== `/${request.params.slug}`) return redirect(response, 302, path + queryOf(request));
      return requester === 'bot' ? showToBot(exchange) : showToVisitor(context, exchange, requester);
    }
    if (mayBeTold(exchange, requester) && (await keepBackgroundClick(context, exchange))) return endBeacon(response);
    if (page.mode === 'script') return redirectToTarget(context, exchange, 302, 'none_script');
    if (requester === 'prefetch') return declinePrefetch(request, response);
    const isVisit = requester === 'visitor' && isNavigation(request);
    if (!isVisit) return redirectToTarget(context, exchange, 302, 'none_bot');
    await redirectVisit(context, exchange, 302);
  };

/**
 * `POST /{slug}`: records the lead and redirects to the target page. A form with missing or unusable values is
 * returned for correction.
 */
export const submitPage =
  (context: LandingContext): RequestHandler<{ slug: string }> =>
  async (request, response, next) => {
    const built = await context.pages.find(request.params.slug, request.headers.host);
    if (!built) return next();
    const { page } = built;
    const exchange = exchangeOf(built, request, response, context);
    // a page of another mode has no form: only bots and beacons post to it
    const requester = classifyRequester(request);
    if (mayBeTold(exchange, requester) && (await keepBackgroundClick(context, exchange))) return endBeacon(response);
    const isVisit = page.mode === 'page' && requester === 'visitor' && isNavigation(request);
    if (!isVisit) return redirectToTarget(context, exchange, 303, 'none_bot');
    const form = readForm(page, request.body, recognizeSigned(context.keys.consent, exchange));
    if (form.problems.length > 0) {
      context.events.formReturned();
      response.status(422);
      const shown = formState(built, form, exchange.atMs);
      const signature = signConsentRequest(context.keys.consent, built.consentRequest, shown.token);
      return sendPage(request, response, built, built.showAgain({ ...shown, signature }));
    }
    await redirectVisit(context, exchange, 303, form);
  };

type Preview = (context: Pick<LandingContext, 'database' | 'keys'>) => RequestHandler<{ code: string }>;

/** `GET /preview/{code}`: the page as visitors see it, for an operator with the preview URL. Records nothing. */
export const showPreview: Preview =
  ({ database, keys }) =>
  async (request, response, next) => {
    const built = await findPreview(database, keys.preview, request.params.code);
    if (!built) return next();
    if (built.page.mode !== 'page') return redirect(response, 302, built.targetUrl());
    sendPage(
      request,
      response,
      built,
      built.showAgain({ token: randomUUID(), signature: '', referrer: '', isPreview: true }),
    );
  };

/** `POST /preview/{code}`: validates and redirects like `POST /{slug}`, but records no lead. */
export const submitPreview: Preview =
  ({ database, keys }) =>
  async (request, response, next) => {
    const built = await findPreview(database, keys.preview, request.params.code);
    if (!built) return next();
    const form = readForm(built.page, request.body, () => true);
    if (form.problems.length === 0) return redirect(response, 303, built.targetUrl());
    response.status(422);
    sendPage(
      request,
      response,
      built,
      built.showAgain({ ...formState(built, form, Date.now()), signature: '', isPreview: true }),
    );
  };
