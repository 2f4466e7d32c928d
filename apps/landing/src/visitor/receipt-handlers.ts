import { renderReceipt } from '@leadback/landing-page/visitor';
import type { RequestHandler } from 'express';
import { languageOf } from '../language-of.ts';
import { describeReceipt } from './describe-receipt.ts';
import { sendVisitorPage } from './send-visitor-page.ts';
import type { VisitorContext } from './visitor-context.ts';

const keysCachedSeconds = 300;

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
    sendVisitorPage(request, response, renderReceipt(language, { ...describeReceipt(erasure, language), receipt }));
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
