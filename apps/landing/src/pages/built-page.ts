import { createHash, randomUUID } from 'node:crypto';
import type { LandingPage, PageImage } from '@leadback/db';
import type { ConsentRequest } from '@leadback/domain';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { escapeHtml, pageParts, renderLandingPage, type Shown } from './page-template.ts';
import { type SendableText, gzipTemplate, wholeText } from './gzip-template.ts';

/** A landing page made ready once, and then shown to any number of visitors. */
export interface BuiltPage {
  readonly page: LandingPage;
  readonly contentSecurityPolicy: string;
  readonly consentRequest: ConsentRequest;
  /** The page as everybody sees it first. Costs next to nothing. */
  show(first: Pick<Shown, 'token' | 'signature' | 'referrer'>): SendableText;
  /** The page with what a visitor has entered and has to mend, or as a preview. */
  showAgain(shown: Shown): SendableText;
  /** The page for whoever is no visitor. */
  readonly forNobody: { readonly html: string; readonly etag: string };
}

const sourceOf = ({ src }: PageImage): string => (src.startsWith('/') ? "'self'" : new URL(src).origin);

export const buildPage = (page: LandingPage): BuiltPage => {
  const parts = pageParts(page);
  // rendered with stand-ins that nothing on the page can contain, and cut there
  const [token, signature, referrer] = [randomUUID(), randomUUID(), randomUUID()];
  const whole = renderLandingPage(page, parts, { token, signature, referrer });
  const spliced = gzipTemplate(whole.split(new RegExp(`${token}|${signature}|${referrer}`)));
  const html = spliced(['', '', '']).plain();
  return {
    page,
    contentSecurityPolicy: contentSecurityPolicy(
      parts.style,
      [page.hero, page.logo].flatMap((image) => (image ? [sourceOf(image)] : [])),
    ),
    consentRequest: parts.consentRequest,
    show: (first) => spliced([first.token, first.signature, first.referrer].map(escapeHtml)),
    showAgain: (shown) => wholeText(renderLandingPage(page, parts, shown)),
    forNobody: { html, etag: `"${createHash('sha256').update(html).digest('base64url')}"` },
  };
};
