import { switchPage as setPage } from '@leadback/administration';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';

const switchPage = (verb: string, isOn: boolean, summary: string) =>
  command({
    name: `page ${verb}`,
    summary,
    argument: '<id>',
    input: z.object({ id: idSchema }),
    async run({ id }, { em, actor }) {
      const { slug } = await setPage(em, { actor, id, isOn });
      return { id, slug, isOn };
    },
  });

export const switchPageOff = switchPage('off', false, 'hide a page, within seconds everywhere; its leads stay');

export const switchPageOn = switchPage('on', true, 'show a page again');
