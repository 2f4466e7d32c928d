import { LandingPage } from '@leadback/db';
import { audit } from '@leadback/people';
import { landingTargetSchema, slugSchema } from '@leadback/domain';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { command } from '../command.ts';
import { findAccount } from '@leadback/administration';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';
import { pageUrl } from '../page-url.ts';
import { applyPageContent, pageContentOptions, pageContentSchema } from '../page-content.ts';

export const createPage = command({
  name: 'page create',
  summary: 'create a landing page',
  options: [
    ['--account <id>', 'account of the page'],
    ['--slug <slug>', 'path of the page: lower-case letters, digits and dashes'],
    ...pageContentOptions,
  ],
  input: pageContentSchema.extend({ account: idSchema, slug: slugSchema, target: landingTargetSchema }),
  async run({ account, slug, ...content }, { em, landingUrl, actor }) {
    try {
      return await em.transactional(async (tx) => {
        const owner = await findAccount(tx, account);
        const page = tx.create(LandingPage, { account: owner, slug, targetUrl: content.target });
        await applyPageContent(tx, page, content);
        await tx.flush();
        const target = `page ${page.id}`;
        await audit(tx, { actor, action: 'page.create', accountId: account, target, details: { slug } });
        return { id: page.id, slug, url: pageUrl(landingUrl, slug) };
      });
    } catch (error) {
      throw error instanceof UniqueConstraintViolationException
        ? new OperatorError(`--slug: ${slug} is taken; choose another`)
        : error;
    }
  },
});
