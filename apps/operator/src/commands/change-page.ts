import { audit } from '@leadback/people';
import { command } from '../command.ts';
import { findPage } from '../find-page.ts';
import { idSchema } from '../id-schema.ts';
import { pageUrl } from '../page-url.ts';
import { applyPageContent, pageContentOptions, pageContentSchema } from '../page-content.ts';

export const changePage = command({
  name: 'page change',
  summary: 'change a page, within seconds everywhere; "" removes a value',
  argument: '<id>',
  options: pageContentOptions,
  input: pageContentSchema.extend({ id: idSchema }),
  async run({ id, ...content }, { em, landingUrl, actor }) {
    const page = await em.transactional(async (tx) => {
      const found = await findPage(tx, id);
      await applyPageContent(tx, found, content);
      const accountId = found.account.id;
      const details = { fields: Object.keys(content) };
      await audit(tx, { actor, action: 'page.change', accountId, target: `page ${id}`, details });
      return found;
    });
    return { id, slug: page.slug, url: pageUrl(landingUrl, page.slug) };
  },
});
