import { type EntityManager, LandingImage, type LandingPage } from '@leadback/db';
import type { PageContent, PageImage } from '@leadback/domain';
import { ActionRefused } from '@leadback/people';
import { targetProblem } from './target-problem.ts';

const uploaded = '/media/';

const checkImage = async (em: EntityManager, { account }: LandingPage, image: PageImage): Promise<void> => {
  if (!image.src.startsWith(uploaded)) return;
  const isOwn = await em.count(LandingImage, { name: image.src.slice(uploaded.length), account });
  if (isOwn === 0) throw new ActionRefused('invalid', `${image.src}: the account has no such image; upload it again`);
};

/**
 * Writes the given fields into a page. Refuses consent on a direct page, images of other accounts, and a target in a private
 * network.
 */
export const writeContent = async (
  em: EntityManager,
  page: LandingPage,
  { content, landingUrl }: { readonly content: Partial<PageContent>; readonly landingUrl: string },
): Promise<void> => {
  const { targetUrl } = content;
  const problem = targetUrl === undefined ? undefined : targetProblem(targetUrl, landingUrl);
  if (problem !== undefined) throw new ActionRefused('invalid', `target: ${problem}`);
  for (const image of [content.logo, content.hero]) if (image) await checkImage(em, page, image);
  em.assign(page, Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined)));
  if (page.mode === 'direct' && page.consentText) {
    throw new ActionRefused(
      'invalid',
      'a direct page is never shown, so visitors cannot agree; use the mode page or remove the consent text',
    );
  }
};
