import { findPage, previewUrls } from '@leadback/administration';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { requireSetting } from '../require-setting.ts';

export const previewPage = command({
  name: 'page preview',
  summary: 'print the URL that shows a page as it is now, on or off, without recording anything',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, landingUrl, secretsKeys }) {
    const { slug } = await findPage(em, { id });
    const urlOf = previewUrls(requireSetting('SECRETS_KEY', secretsKeys), landingUrl);
    return { id, slug, url: urlOf(id) };
  },
});
