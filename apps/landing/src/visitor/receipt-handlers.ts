import { type Fact, renderReceipt, timeIn, visitorTexts } from '@leadback/landing-page/visitor';
import type { Language } from '@leadback/domain';
import type { RequestHandler } from 'express';
import { languageOf } from '../language-of.ts';
import type { ShownErasure } from './receipts.ts';
import { sendVisitorPage } from './send-visitor-page.ts';
import type { VisitorContext } from './visitor-context.ts';

const keysCachedSeconds = 300;

const describe = (erasure: ShownErasure, language: Language) => {
  const texts = visitorTexts[language].receipt;
  const { labels } = texts;
  const { id, state, askedBy, requestedAt, finishedAt, keyId, signature, isSigned } = erasure;
  const facts: (Fact & { readonly isKnown?: boolean })[] = [
    { label: labels.id, values: [id] },
    { label: labels.askedBy, values: [texts.askers[askedBy]] },
    { label: labels.requested, values: [timeIn(language, requestedAt)] },
    ...(finishedAt ? [{ label: labels.finished, values: [timeIn(language, finishedAt)] }] : []),
    ...(keyId === null ? [] : [{ label: labels.key, values: [keyId] }]),
    ...(signature === null ? [] : [{ label: labels.signature, values: [signature] }]),
  ];
  const verdict = isSigned ? texts.isSigned : texts.isNotSigned;
  return { facts, state: isSigned === null ? texts.states[state] : `${texts.states[state]} ${verdict}` };
};

/** `GET /data/receipt/{id}`: of any erasure. As JSON: what `receipt verify` checks. */
export const showReceipt =
  ({ receipts }: Pick<VisitorContext, 'receipts'>): RequestHandler<{ id: string }> =>
  async (request, response, next) => {
    const erasure = await receipts.find(request.params.id);
    if (erasure === undefined) return next();
    const { receipt, signature, keyId, state } = erasure;
    response.vary('Accept');
    if (request.accepts(['html', 'json']) === 'json') return void response.json({ state, receipt, signature, keyId });
    const language = languageOf(request);
    sendVisitorPage(request, response, renderReceipt(language, { ...describe(erasure, language), receipt }));
  };

/** `GET /.well-known/leadback-receipts.json`: the keys with which receipts can be verified. */
export const showReceiptKeys =
  ({ receipts }: Pick<VisitorContext, 'receipts'>): RequestHandler =>
  async (_request, response) => {
    const keys = await receipts.keys();
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
