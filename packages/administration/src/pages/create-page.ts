import { type EntityManager, LandingPage } from '@leadback/db';
import type { AccountId, PageContent } from '@leadback/domain';
import { ActionRefused, audit } from '@leadback/people';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { holdAccount } from '../find-account.ts';
import { writeContent } from './write-content.ts';

interface NewPage {
  readonly actor: string;
  readonly accountId: AccountId;
  readonly slug: string;
  /** Public URL of apps/landing. */
  readonly landingUrl: string;
  readonly content: Partial<PageContent> & Pick<PageContent, 'targetUrl'>;
}

/** Creates a landing page, which is on. Refuses a slug that another page has, of any account. */
export const createPage = async (
  em: EntityManager,
  { actor, accountId, slug, content, landingUrl }: NewPage,
): Promise<LandingPage> => {
  try {
    return await em.transactional(async (tx) => {
      const account = await holdAccount(tx, accountId);
      const page = tx.create(LandingPage, {
        account,
        slug,
        targetUrl: content.targetUrl,
        isHidden: account.hidesPages,
      });
      await writeContent(tx, page, { content, landingUrl });
      await tx.flush();
      await audit(tx, { actor, action: 'page.create', accountId, target: `page ${page.id}`, details: { slug } });
      return page;
    });
  } catch (error) {
    throw error instanceof UniqueConstraintViolationException
      ? new ActionRefused('conflict', `slug: ${slug} is taken; choose another`)
      : error;
  }
};
