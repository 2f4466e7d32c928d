import { audit } from '@leadback/people';
import { z } from 'zod';
import { command } from '../command.ts';
import { findPage } from '../find-page.ts';
import { idSchema } from '../id-schema.ts';

const switchPage = (verb: string, isOn: boolean, summary: string) =>
  command({
    name: `page ${verb}`,
    summary,
    argument: '<id>',
    input: z.object({ id: idSchema }),
    async run({ id }, { em, actor }) {
      return em.transactional(async (tx) => {
        const page = await findPage(tx, id);
        page.isOn = isOn;
        await audit(tx, { actor, action: `page.${verb}`, accountId: page.account.id, target: `page ${id}` });
        return { id, slug: page.slug, isOn };
      });
    },
  });

export const switchPageOff = switchPage('off', false, 'hide a page, within seconds everywhere; its leads stay');

export const switchPageOn = switchPage('on', true, 'show a page again');
