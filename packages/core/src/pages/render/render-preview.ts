import type { PageContent } from '@leadback/domain';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { imageSources, pageParts, renderLandingPage } from './page-template.ts';

export interface RenderedPreview {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

/** A page as visitors would see it, for a frame of the app that sends it. Its form cannot be submitted. */
export const renderPreview = (content: PageContent): RenderedPreview => {
  // no page is stored, so nothing is asked of anybody: the ids in the form are empty
  const page = { ...content, id: 0 };
  const parts = pageParts(page);
  return {
    html: renderLandingPage(page, parts, { token: '', signature: '', referrer: '' }),
    contentSecurityPolicy: contentSecurityPolicy(parts.style, imageSources(page), { isPreview: true }),
  };
};
