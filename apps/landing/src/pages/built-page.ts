import { createHash, randomUUID } from 'node:crypto';
import type { LandingPage, PageImage } from '@leadback/db';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { escapeHtml, pageParts, renderLandingPage, type Shown } from './page-template.ts';
import { type SendableText, splicedText, wholeText } from './spliced-text.ts';

/** A landing page made ready once, and then shown to any number of visitors. */
export interface BuiltPage {
  readonly page: LandingPage;
  readonly contentSecurityPolicy: string;
  /** The page as everybody sees it first. Costs next to nothing. */
  show(first: Pick<Shown, 'token' | 'referrer'>): SendableText;
  /** The page with what a visitor has entered and has to mend, or as a preview. */
  showAgain(shown: Shown): SendableText;
  /** The page for whoever is no visitor. */
  readonly forNobody: { readonly html: string; readonly etag: string };
}

const sourceOf = ({ src }: PageImage): string => (src.startsWith('/') ? "'self'" : new URL(src).origin);

export const buildPage = (page: LandingPage): BuiltPage => {
  const parts = pageParts(page);
  // rendered with stand-ins that nothing on the page can contain, and cut there
  const [token, referrer] = [randomUUID(), randomUUID()];
  const whole = renderLandingPage(page, parts, { token, referrer });
  const [start = '', rest = ''] = whole.split(token);
  const [middle = '', end = ''] = rest.split(referrer);
  const spliced = splicedText([start, middle, end]);
  const html = spliced(['', '']).plain();
  return {
    page,
    contentSecurityPolicy: contentSecurityPolicy(
      parts.style,
      [page.hero, page.logo].flatMap((image) => (image ? [sourceOf(image)] : [])),
    ),
    show: (first) => spliced([escapeHtml(first.token), escapeHtml(first.referrer)]),
    showAgain: (shown) => wholeText(renderLandingPage(page, parts, shown)),
    forNobody: { html, etag: `"${createHash('sha256').update(html).digest('base64url')}"` },
  };
};
