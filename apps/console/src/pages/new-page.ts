import { targetProblem } from '@leadback/administration';
import { type PageContent, pageFieldSchemas, slugSchema } from '@leadback/domain';
import type { CreatePageInput, PageProblem } from '../contract/pages.ts';

interface ReadNewPage {
  readonly slug: string;
  readonly content: Pick<PageContent, 'targetUrl' | 'language'>;
  /** What the two above cannot be created with. */
  readonly problems: PageProblem[];
}

/** `landingUrl`: the public URL of apps/landing. */
export const readNewPage = (typed: CreatePageInput, landingUrl: string): ReadNewPage => {
  const slug = slugSchema.safeParse(typed.slug.trim());
  const targetUrl = pageFieldSchemas.targetUrl.safeParse(typed.targetUrl.trim());
  const problems: PageProblem[] = [];
  if (!slug.success) problems.push('slug');
  if (!targetUrl.success || targetProblem(targetUrl.data, landingUrl) !== undefined) problems.push('targetUrl');
  return {
    slug: slug.data ?? '',
    content: { targetUrl: targetUrl.data ?? '', language: typed.language },
    problems,
  };
};
