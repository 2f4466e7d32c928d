import { type Language, leadReferenceIn } from '@leadback/domain';
import {
  type AskedErasure,
  readErasure,
  readReceiptKeys,
  receiptSchema,
  verifyReceipt,
} from '@leadback/core/erasure/ask/receipt';
import { askErasure, networkHash, TooManyErasures } from '@leadback/core/erasure/ask/ask-erasure';
import {
  brandOf,
  type Fact,
  timeIn,
  visitorTexts,
  visitorStyle,
  renderReceipt,
  type ShownLead,
  renderVisitorPage,
  renderErasureAsked,
  renderQuestion,
} from '@leadback/core/pages/visitor/visitor-page';
import type { VisitorMessage } from '@leadback/core/pages/visitor/visitor-texts';
import { contentSecurityPolicy } from '@leadback/core/pages/render/page';
import { type Request, type Response, type RequestHandler, type ErrorRequestHandler, Router } from 'express';
import { type LeadToShow, readVisitorLeads, type StoredLead, withdrawConsent } from '@leadback/core/leads/visitor';
import { isGenuineLeadReference, type OwnLead, randomBase62 } from '@leadback/domain/keys';
import { z } from 'zod';
import { isDatabaseUnavailable, type Pool } from '@leadback/db';
import type { LandingContext } from '../context.ts';
import { askingNetwork } from '../limits.ts';
import { decryptHandle, encryptHandle, type LeadHandle } from './lead-handle.ts';
import { wholeText } from '../pages/served-page.ts';
import { sendHtml, languageOf, sendNotice } from '../respond.ts';
import { forgetLead, ownLeadsOf, readCookies } from '../visits/exchange.ts';
import { isFromOwnPage } from '../visits/form.ts';

/** An erasure, and whether the signature of its receipt is right; null: there is no receipt yet. */
interface ShownErasure extends AskedErasure {
  readonly isSigned: boolean | null;
}

const erasureIdShape = /^[0-9A-Za-z]{22}$/;

const findErasure = async (pool: Pool, id: string): Promise<ShownErasure | undefined> => {
  const erasure = erasureIdShape.test(id) ? await readErasure(pool, id) : undefined;
  if (erasure === undefined) return undefined;
  const { receipt, signature, keyId } = erasure;
  if (receipt === null || signature === null || keyId === null) return { ...erasure, isSigned: null };
  const keys = await readReceiptKeys(pool);
  return { ...erasure, isSigned: verifyReceipt(keys, { receipt, signature, keyId }) === 'genuine' };
};

// the JSON of another version is shown as it is
const parsed = (receipt: string) => {
  try {
    return receiptSchema.safeParse(JSON.parse(receipt)).data;
  } catch {
    return undefined;
  }
};

const erasedThings = ['clients', 'leads', 'importedRows', 'listedRows'] as const;

/** What the signed text says, in the language of the reader. */
const contentOf = (receipt: string, language: Language): Fact[] => {
  const content = parsed(receipt);
  if (!content) return [];
  const { labels, things, sentOn, nothing } = visitorTexts[language].receipt;
  const number = (count: number) => new Intl.NumberFormat(language).format(count);
  const erased = erasedThings.flatMap((thing) => {
    const count = content.erased[thing];
    return count > 0 ? [`${things[thing]}: ${number(count)}`] : [];
  });
  const facts = [
    { label: labels.erased, values: erased },
    {
      label: labels.kept,
      values: content.kept.map(({ what, count }) => {
        const thing = things[what === 'leads' ? 'keptLeads' : what === 'clients' ? 'keptClients' : what];
        return count === undefined ? thing : `${thing}: ${number(count)}`;
      }),
    },
    {
      label: labels.told,
      values: content.platformsTold.map(({ platform, events, lastAt }) =>
        sentOn(brandOf(platform), number(events), timeIn(language, new Date(lastAt))),
      ),
    },
    { label: labels.skipped, values: [number(content.pendingSkipped)] },
    {
      label: labels.notReached,
      values: content.notReached.map(({ what, until }) => things[what] + (until === undefined ? '' : ` (→ ${until})`)),
    },
  ];
  return facts.map(({ label, values }) => ({ label, values: values.length > 0 ? values : [nothing] }));
};

/** What the page of a receipt shows. */
const describeReceipt = (
  erasure: ShownErasure,
  language: Language,
): { readonly state: string; readonly facts: readonly Fact[] } => {
  const texts = visitorTexts[language].receipt;
  const { labels } = texts;
  const { id, state, askedBy, requestedAt, finishedAt, receipt, keyId, signature, isSigned } = erasure;
  const facts = [
    { label: labels.id, values: [id] },
    { label: labels.askedBy, values: [texts.askers[askedBy]] },
    { label: labels.requested, values: [timeIn(language, requestedAt)] },
    ...(finishedAt ? [{ label: labels.finished, values: [timeIn(language, finishedAt)] }] : []),
    ...(receipt === null ? [] : contentOf(receipt, language)),
    ...(keyId === null ? [] : [{ label: labels.key, values: [keyId] }]),
    ...(signature === null ? [] : [{ label: labels.signature, values: [signature] }]),
  ];
  const verdict = isSigned ? texts.isSigned : texts.isNotSigned;
  return { facts, state: isSigned === null ? texts.states[state] : `${texts.states[state]} ${verdict}` };
};

const policy = `${contentSecurityPolicy(visitorStyle)};form-action 'self'`;

const sendVisitorPage = (request: Request, response: Response, html: string): void =>
  sendHtml(request, response, policy, wholeText(html));

const keysCachedSeconds = 300;

/** `GET /data/receipt/{id}`: of any erasure. As JSON: what `receipt verify` checks. */
const showReceipt =
  ({ database }: LandingContext): RequestHandler<{ id: string }> =>
  async (request, response, next) => {
    const erasure = await findErasure(database.pool, request.params.id);
    if (erasure === undefined) return next();
    const { receipt, signature, keyId, state } = erasure;
    response.vary('Accept');
    if (request.accepts(['html', 'json']) === 'json') return void response.json({ state, receipt, signature, keyId });
    const language = languageOf(request);
    sendVisitorPage(request, response, renderReceipt(language, { ...describeReceipt(erasure, language), receipt }));
  };

/** `GET /.well-known/leadback-receipts.json`: the keys with which receipts can be verified. */
const showReceiptKeys =
  ({ database }: LandingContext): RequestHandler =>
  async (_request, response) => {
    const keys = await readReceiptKeys(database.pool);
    response.set({
      'Cache-Control': `public, max-age=${keysCachedSeconds}`,
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    response.json({
      keys: keys.map(({ id, publicKey }) => ({
        id,
        algorithm: 'Ed25519',
        publicKey: Buffer.from(publicKey).toString('base64'),
      })),
    });
  };

// keeps the page below 14 KB, the initial congestion window of TCP; erased leads make room for older ones
const leadsMax = 10;
const erasureIdLength = 22;

const handleOf = ({ keys, nowMs }: LandingContext, reference: string, accountId: number): string =>
  encryptHandle(keys.handle, { reference, accountId, erasureId: randomBase62(erasureIdLength) }, nowMs());

const shownStored = (context: LandingContext, { reference, accountId, lead }: StoredLead): ShownLead => ({
  handle: handleOf(context, reference, accountId),
  lead,
  page: lead,
});

/** The leads that this browser proves to have left. */
const ownLeads = ({ keys }: LandingContext, request: Request): OwnLead[] =>
  ownLeadsOf(keys.proof, readCookies(request.headers.cookie));

/** The lead with this reference, if this browser proves to have left it. */
const ownLead = (context: LandingContext, request: Request, reference: string): OwnLead | undefined =>
  ownLeads(context, request).find((own) => own.reference === reference);

/** The leads that this browser has left: those that are not recorded yet first, then the newest. */
const leadsOfBrowser = async (context: LandingContext, request: Request): Promise<ShownLead[]> => {
  const own = ownLeads(context, request);
  const stored = await readVisitorLeads(context.database.pool, own, context.contacts);
  const known = new Set(stored.map(({ reference }) => reference));
  const buffered = own.flatMap(({ reference, pageId }): ShownLead[] => {
    const page = known.has(reference) ? undefined : context.pages.byId(pageId);
    return page ? [{ handle: handleOf(context, reference, page.accountId), lead: null, page }] : [];
  });
  return [...buffered, ...stored.map((one) => shownStored(context, one))].slice(0, leadsMax);
};

/** Shows the leads that the browser has left. */
const showLeadsOfBrowser = async (
  context: LandingContext,
  request: Request,
  response: Response,
  message?: VisitorMessage,
): Promise<void> => {
  const leads = await leadsOfBrowser(context, request);
  sendVisitorPage(request, response, renderVisitorPage(languageOf(request), { leads, message, isOfBrowser: true }));
};

/** Shows one lead, or says that there is none: no more than its reference may show, unless the browser has left it. */
const showLead = async (
  context: LandingContext,
  request: Request,
  response: Response,
  { reference, message }: { readonly reference: string; readonly message?: VisitorMessage },
): Promise<void> => {
  const isGenuine = isGenuineLeadReference(context.keys.reference, reference);
  const wanted: LeadToShow = ownLead(context, request, reference) ?? { reference };
  const stored = isGenuine ? await readVisitorLeads(context.database.pool, [wanted], context.contacts) : [];
  if (stored.length === 0 && message === undefined) response.status(404);
  const page = {
    leads: stored.map((one) => shownStored(context, one)),
    message: message ?? (stored.length === 0 ? ('notFound' as const) : undefined),
    isOfBrowser: false,
  };
  sendVisitorPage(request, response, renderVisitorPage(languageOf(request), page));
};

const afterLimitSeconds = 60;

const sendTooMany = (request: Request, response: Response): void => {
  response.set('Retry-After', String(afterLimitSeconds));
  sendNotice(request, response, 429, (language) => visitorTexts[language].tooMany);
};

const afterManySeconds = 3_600;

const sendTooManyOfNetwork = (request: Request, response: Response): void => {
  response.set('Retry-After', String(afterManySeconds));
  sendNotice(request, response, 429, (language) => visitorTexts[language].tooManyOfNetwork);
};

const text = z.string().max(2_048).optional().catch(undefined);
const formSchema = z.object({ reference: text, handle: text, confirmed: text }).catch({});

type Handler = (context: LandingContext) => RequestHandler;
type WithHandle = (handle: LeadHandle, encrypted: string, request: Request, response: Response) => Promise<void> | void;

/** Calls `then` with the lead of the form. Others' forms and old ones change nothing. */
const withHandle =
  (context: LandingContext, then: WithHandle): RequestHandler =>
  async (request, response) => {
    const { handle: encrypted = '' } = formSchema.parse(request.body);
    const handle = isFromOwnPage(request) ? decryptHandle(context.keys.handle, encrypted, context.nowMs()) : undefined;
    if (handle) return then(handle, encrypted, request, response);
    response.status(422);
    await showLeadsOfBrowser(context, request, response, 'expired');
  };

/** `GET /data`: the leads that this browser has left. */
const showData: Handler = (context) => (request, response) => showLeadsOfBrowser(context, request, response);

/** `POST /data`: the lead with a reference. */
const lookUpLead: Handler = (context) => async (request, response) => {
  if (!isFromOwnPage(request)) return showLeadsOfBrowser(context, request, response.status(422), 'expired');
  const { reference = '' } = formSchema.parse(request.body);
  await showLead(context, request, response, { reference: leadReferenceIn(reference.trim()) });
};

/** `POST /data/consent`: withdraws consent; asks before, unless the browser has left the lead. Again, it changes nothing. */
const withdrawConsentOfLead: Handler = (context) =>
  withHandle(context, async ({ reference, accountId }, encrypted, request, response) => {
    const own = ownLead(context, request, reference);
    const { confirmed } = formSchema.parse(request.body);
    if (!own && confirmed !== 'yes') {
      return sendVisitorPage(request, response, renderQuestion(languageOf(request), 'withdraw', encrypted));
    }
    if (!own && !context.admitWithdrawal(request, accountId)) return sendTooManyOfNetwork(request, response);
    await withdrawConsent(context.database.pool, reference);
    const message = 'withdrawn';
    if (own) return showLeadsOfBrowser(context, request, response, message);
    await showLead(context, request, response, { reference, message });
  });

/**
 * `POST /data/erase`: asks whether to erase a lead, and then for the erasure: the same form again for the same one. If the
 * browser has not left the lead, the account decides.
 */
const eraseLead: Handler = (context) =>
  withHandle(context, async ({ reference, accountId, erasureId }, encrypted, request, response) => {
    const language = languageOf(request);
    const own = ownLead(context, request, reference);
    const { confirmed } = formSchema.parse(request.body);
    if (confirmed !== 'yes') {
      return sendVisitorPage(request, response, renderQuestion(language, own ? 'erase' : 'ask', encrypted));
    }
    // without a proof it counts as a view of the network
    if (own && !context.admitErasure(request)) return sendTooMany(request, response);
    const id = await askErasure(context.database.pool, context.keys.erasure, {
      id: erasureId,
      accountId,
      askedBy: 'visitor',
      actor: 'visitor',
      // without a proof, the account decides
      subject: { leadReference: reference, proof: own?.proof },
      network: networkHash(context.keys.erasure, askingNetwork(request)),
    });
    if (own) forgetLead({ protocol: request.protocol, response }, reference);
    sendVisitorPage(request, response, renderErasureAsked(language, id, own !== undefined));
  });

const afterOutageSeconds = 300;

const failed: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (response.headersSent) return next(error);
  if (error instanceof TooManyErasures) return sendTooManyOfNetwork(request, response);
  if (!isDatabaseUnavailable(error)) return next(error);
  response.set('Retry-After', String(afterOutageSeconds));
  sendNotice(request, response, 503, (language) => visitorTexts[language].notNow);
};

/** The pages on which visitors see and erase their data, and the receipts of erasures. */
export const visitorRoutes = (context: LandingContext, readBody: RequestHandler): Router => {
  const admit: RequestHandler = (request, response, next) => {
    // with no-referrer, browsers without Sec-Fetch-Site would send their forms as if from nowhere
    response.set('Referrer-Policy', 'same-origin');
    // to look up another lead counts for the network
    const isLookUp = request.method === 'POST' && request.baseUrl === '/data' && request.path === '/';
    const [own] = isLookUp ? [] : ownLeads(context, request);
    if (context.admitVisitor(request, own?.reference)) return next();
    sendTooMany(request, response);
  };
  const router = Router();
  router.use(['/data', '/.well-known/leadback-receipts.json'], admit);
  router.route('/data').get(showData(context)).post(readBody, lookUpLead(context));
  router.post('/data/consent', readBody, withdrawConsentOfLead(context));
  router.post('/data/erase', readBody, eraseLead(context));
  router.get('/data/receipt/:id', showReceipt(context));
  router.get('/.well-known/leadback-receipts.json', showReceiptKeys(context));
  router.use(failed);
  return router;
};
