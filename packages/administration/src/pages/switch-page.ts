import type { EntityManager, LandingPage } from '@leadback/db';
import { audit } from '@leadback/people';
import { lockPage, type PageKey } from './find-page.ts';

interface PageSwitch extends PageKey {
  readonly actor: string;
  readonly isOn: boolean;
}

/** Shows or hides a page, within seconds everywhere. Its leads stay. */
export const switchPage = (em: EntityManager, { actor, isOn, ...key }: PageSwitch): Promise<LandingPage> =>
  em.transactional(async (tx) => {
    const page = await lockPage(tx, key);
    page.isOn = isOn;
    const action = isOn ? 'page.on' : 'page.off';
    await audit(tx, { actor, action, accountId: page.account.id, target: `page ${page.id}` });
    return page;
  });
