import { createHash, randomUUID } from 'node:crypto';
import type { ServedPage } from './served-page.ts';
import { withServiceId } from '@leadback/domain';
import {
  contentSecurityPolicy,
  escapeHtml,
  imageSources,
  pageParts,
  renderLandingPage,
  type Shown,
} from '@leadback/landing-page';
import type { ConsentRequest } from '@leadback/secrets';
import encodeUrl from 'encodeurl';
import { type SendableText, gzipTemplate, wholeText } from './gzip-template.ts';

/** A landing page that is rendered and compressed once, and sent many times. */
export interface BuiltPage {
  readonly page: ServedPage;
  readonly contentSecurityPolicy: string;
  readonly consentRequest: ConsentRequest;
  /** The URL of the target page, percent-encoded for a header, with a lead reference if there is one. */
  targetUrl(reference?: string): string;
  /** The page on a first visit. Cheap. */
  show(first: Pick<Shown, 'token' | 'signature' | 'referrer'>): SendableText;
  /** The page as a preview, or with the values that a visitor has to correct. Rendered on each call. */
  showAgain(shown: Shown): SendableText;
  /** The page for crawlers and link previews, the same for each of them. */
  readonly forBots: { readonly html: string; readonly etag: string };
}

export const buildPage = (page: ServedPage): BuiltPage => {
  const parts = pageParts(page);
  // rendered with random placeholders, and split there
  const [token, signature, referrer] = [randomUUID(), randomUUID(), randomUUID()];
  const rendered = renderLandingPage(page, parts, { token, signature, referrer });
  const pieces = rendered.split(new RegExp(`${token}|${signature}|${referrer}`));
  if (pieces.length !== 4) throw new Error('expected token, signature and referrer in the template, each once');
  const [before = '', afterToken = '', afterSignature = '', after = ''] = pieces;
  const fill = gzipTemplate(before, after);
  const html = before + afterToken + afterSignature + after;
  // the URL standard leaves characters such as `{` and a single `%` as they are; not all proxies accept them in a header
  const target = encodeUrl(new URL(page.targetUrl).href);
  const [beforeReference = '', afterReference = ''] = encodeUrl(withServiceId(page.targetUrl, token)).split(token);
  return {
    page,
    contentSecurityPolicy: contentSecurityPolicy(parts.style, imageSources(page)),
    consentRequest: parts.consentRequest,
    targetUrl: (reference) => (reference === undefined ? target : beforeReference + reference + afterReference),
    show: (first) => fill(first.token + afterToken + first.signature + afterSignature + escapeHtml(first.referrer)),
    showAgain: (shown) => wholeText(renderLandingPage(page, parts, shown)),
    forBots: { html, etag: `"${createHash('sha256').update(html).digest('base64url')}"` },
  };
};
