import type { EntityManager, LandingPage } from '@leadback/db';
import { ActionRefused, audit } from '@leadback/people';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { lockPage } from './find-page.ts';

interface Rename {
  readonly id: number;
  readonly actor: string;
  readonly slug: string;
}

/**
 * Gives a page another slug, so that its former one is free: names are one space for all accounts, and a brand's may be
 * taken. The former URL is not redirected.
 */
export const renamePage = async (em: EntityManager, { id, actor, slug }: Rename): Promise<LandingPage> => {
  try {
    return await em.transactional(async (tx) => {
      const page = await lockPage(tx, { id });
      const { slug: before } = page;
      if (before === slug) return page;
      page.slug = slug;
      await tx.flush();
      const details = { slug: { before, after: slug } };
      await audit(tx, { actor, action: 'page.rename', accountId: page.account.id, target: `page ${id}`, details });
      return page;
    });
  } catch (error) {
    throw error instanceof UniqueConstraintViolationException
      ? new ActionRefused('conflict', `slug: ${slug} is taken; choose another`)
      : error;
  }
};
