import { command } from '../command.ts';
import { findPage } from '../find-page.ts';
import { idSchema } from '../id-schema.ts';
import { pageAddress } from '../page-address.ts';
import { applyPageContent, pageContentOptions, pageContentSchema } from '../page-content.ts';

export const changePage = command({
  name: 'page change',
  summary: 'change what a page says or does, within seconds everywhere; "" takes something away',
  argument: '<id>',
  options: pageContentOptions,
  input: pageContentSchema.extend({ id: idSchema }),
  async run({ id, ...content }, { em, landingUrl }) {
    const page = await findPage(em, id);
    await applyPageContent(em, page, content);
    await em.flush();
    return { id, slug: page.slug, url: pageAddress(landingUrl, page.slug) };
  },
});
