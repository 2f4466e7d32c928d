import { LandingPage } from '@leadback/db';
import { z } from 'zod';
import { command } from '../command.ts';
import { findAccount, pageUrl } from '@leadback/administration';
import { idSchema } from '../id-schema.ts';

export const listPages = command({
  name: 'page list',
  summary: 'list the landing pages of an account',
  options: [['--account <id>', 'account of the pages']],
  columns: ['id', 'slug', 'url', 'mode', 'isOn', 'title', 'language', 'target', 'createdAt'],
  input: z.object({ account: idSchema }),
  async run({ account }, { em, landingUrl }) {
    await findAccount(em, account);
    const pages = await em.find(LandingPage, { account }, { orderBy: { id: 'asc' } });
    return pages.map(({ id, slug, mode, isOn, title, language, targetUrl, createdAt }) => ({
      id,
      slug,
      url: pageUrl(landingUrl, slug),
      mode,
      isOn,
      title,
      language,
      target: targetUrl,
      createdAt,
    }));
  },
});
