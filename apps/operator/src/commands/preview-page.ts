import { pagePreviewCode, pagePreviewKeys } from '@leadback/secrets';
import { z } from 'zod';
import { command } from '../command.ts';
import { findPage } from '../find-page.ts';
import { idSchema } from '../id-schema.ts';
import { requireSetting } from '../require-setting.ts';
import { pageUrl } from '../page-url.ts';

export const previewPage = command({
  name: 'page preview',
  summary: 'print the URL that shows a page as it is now, on or off, without recording anything',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, landingUrl, secretsKeys }) {
    const { slug } = await findPage(em, id);
    const code = pagePreviewCode(pagePreviewKeys(requireSetting('SECRETS_KEY', secretsKeys)), id);
    return { id, slug, url: pageUrl(landingUrl, `preview/${code}`) };
  },
});
