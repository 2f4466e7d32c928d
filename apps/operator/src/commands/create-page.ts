import { createPage as create, findAccount, pageUrl } from '@leadback/administration';
import { slugSchema } from '@leadback/domain';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { pageContentOptions, pageContentSchema, takeContent } from '../page-content.ts';

export const createPage = command({
  name: 'page create',
  summary: 'create a landing page',
  options: [
    ['--account <id>', 'account of the page'],
    ['--slug <slug>', 'path of the page: lower-case letters, digits and dashes'],
    ...pageContentOptions,
  ],
  input: pageContentSchema.required({ target: true }).extend({ account: idSchema, slug: slugSchema }),
  run: ({ account: accountId, slug, ...typed }, { em, landingUrl, actor }) =>
    em.transactional(async (tx) => {
      await findAccount(tx, accountId);
      const content = { ...(await takeContent(tx, { accountId }, typed)), targetUrl: typed.target };
      const { id } = await create(tx, { actor, accountId, slug, content, landingUrl });
      return { id, slug, url: pageUrl(landingUrl, slug) };
    }),
});
