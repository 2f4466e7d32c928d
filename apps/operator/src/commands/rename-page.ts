import { pageUrl, renamePage as rename } from '@leadback/administration';
import { slugSchema } from '@leadback/domain';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';

export const renamePage = command({
  name: 'page rename',
  summary:
    "give a page another slug, such as one that has the name of somebody else's brand; its former URL gets a 404 until another page has the slug",
  argument: '<id>',
  options: [['--slug <slug>', 'path of the page: lower-case letters, digits and dashes']],
  input: z.object({ id: idSchema, slug: slugSchema }),
  async run({ id, slug }, { em, actor, landingUrl }) {
    await rename(em, { id, slug, actor });
    return { id, slug, url: pageUrl(landingUrl, slug) };
  },
});
