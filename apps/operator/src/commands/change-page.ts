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
  async run({ id, ...content }, { em, landingUrl }) {
    const page = await findPage(em, id);
    await applyPageContent(em, page, content);
    await em.flush();
    return { id, slug: page.slug, url: pageUrl(landingUrl, page.slug) };
  },
});
