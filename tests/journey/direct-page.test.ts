import { eventually, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { arriveAtShop, givenVisitors } from '../support/given-visitors.ts';

const speculate = (kind: 'prefetch' | 'prerender') => (address: string) =>
  `{
  const rules = document.createElement('script');
  rules.type = 'speculationrules';
  rules.textContent = JSON.stringify({ ${kind}: [{ urls: [${JSON.stringify(address)}], eagerness: 'immediate' }] });
  document.head.append(rules);
}`;
const prefetchLink = (address: string) => `{
  const link = document.createElement('link');
  Object.assign(link, { rel: 'prefetch', href: ${JSON.stringify(address)} });
  document.head.append(link);
}`;
const embed = (element: string, address: string) => `{
  const element = document.createElement('${element}');
  element.src = ${JSON.stringify(address)};
  document.body.append(element);
}`;
const link = (address: string) => `{
  const link = document.createElement('a');
  Object.assign(link, { href: ${JSON.stringify(address)}, textContent: 'The offer' });
  document.body.prepend(link);
}`;
const toRise = (count: () => Promise<number>, before: number) =>
  eventually(async () => expect(await count()).toBeGreaterThan(before));

describe('a page in direct mode, in a browser', async () => {
  const visitors = await shared(givenVisitors());

  const counted = async (series: RegExp): Promise<number> =>
    Number(series.exec(await visitors.stack.metricsOf('landing'))?.[1] ?? 0);
  const declined = () => counted(/^leadback_http_request_seconds_count\{[^}]*status="declined"[^}]*\} (\d+)/m);
  const redirectedWithoutLead = () => counted(/^leadback_visits_total\{mode="direct",lead="none_bot",[^}]*\} (\d+)/m);

  it.each([
    ['a link that the shop prefetches', 'shop', prefetchLink],
    ['a prefetch by a page of the shop', 'shop', speculate('prefetch')],
    ['a prefetch by a page of the same origin', 'landing', speculate('prefetch')],
    ['a prerender by a page of the same origin', 'landing', speculate('prerender')],
  ])('gives the click on a direct page a lead reference after %s', async (_, from, fetchAhead) => {
    const direct = await visitors.givenPage({ mode: 'direct' });
    const address = visitors.urlOf(direct);
    // landing pages allow no scripts
    await using window = await visitors.open({ bypassCSP: true });
    const { page } = window;
    await page.goto(from === 'shop' ? visitors.shopUrl : visitors.urlOf(await visitors.givenPage()));
    const before = await declined();
    await page.evaluate(fetchAhead(address));
    await toRise(declined, before);
    expect(await visitors.leadsOf(direct)).toEqual([]);
    await page.evaluate(link(address));
    await page.getByRole('link', { name: 'The offer' }).click();
    await page.waitForURL(`${visitors.shopUrl}/offer?*`);
    const reference = await arriveAtShop(page);
    expect(await visitors.leadsOf(direct)).toMatchObject([{ reference, clickParameters: { gclid: 'G1' } }]);
  });

  it('records no lead if a direct page is requested as an image or in a frame', async () => {
    const direct = await visitors.givenPage({ mode: 'direct' });
    await using window = await visitors.open();
    await window.page.goto(visitors.shopUrl);
    for (const element of ['img', 'iframe']) {
      const before = await redirectedWithoutLead();
      await window.page.evaluate(embed(element, visitors.urlOf(direct)));
      await toRise(redirectedWithoutLead, before);
    }
    expect(await visitors.leadsOf(direct)).toEqual([]);
  });
});
