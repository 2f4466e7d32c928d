import { changePage as change, findPage, pageUrl } from '@leadback/administration';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { pageContentOptions, pageContentSchema, takeContent } from '../page-content.ts';

export const changePage = command({
  name: 'page change',
  summary: 'change a page, within seconds everywhere; "" removes a value',
  argument: '<id>',
  options: pageContentOptions,
  input: pageContentSchema.extend({ id: idSchema }),
  run: ({ id, ...typed }, { em, landingUrl, actor }) =>
    em.transactional(async (tx) => {
      const { account, logo, hero, slug } = await findPage(tx, { id });
      const content = await takeContent(tx, { accountId: account.id, logo, hero }, typed);
      await tx.flush();
      await change(tx, { actor, id, content, landingUrl });
      return { id, slug, url: pageUrl(landingUrl, slug) };
    }),
});
