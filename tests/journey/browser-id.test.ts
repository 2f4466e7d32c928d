import { shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { arriveAtShop, givenVisitors } from '../support/given-visitors.ts';

describe("landing's browser id, in a browser", async () => {
  const visitors = await shared(givenVisitors());

  it("deletes landing's browser id when a visitor refuses consent, and keeps the one of the shop's pixel", async () => {
    const [withConsent, withoutConsent] = await Promise.all([
      visitors.givenPage({ consentText: 'I agree' }),
      visitors.givenPage({ consentText: null }),
    ]);
    await using window = await visitors.open();
    const { page } = window;
    const open = (landingPage: typeof withConsent) =>
      page.goto(visitors.urlOf(landingPage).replace('127.0.0.1', 'go.shop.localhost'));
    const ids = async () => String(await page.evaluate('document.cookie')).match(/(?<=_fbp=fb\.)\d/g);
    await open(withoutConsent);
    expect(await ids()).toEqual(['2']);
    const pixels = 'fb.1.1554763741205.2114433221';
    await page.evaluate(`document.cookie = '_fbp=${pixels}; domain=shop.localhost; path=/'`);
    await page.getByRole('button').click();
    await arriveAtShop(page);
    expect(await visitors.leadsOf(withoutConsent)).toMatchObject([{ clickParameters: { _fbp: pixels } }]);
    await open(withConsent);
    expect((await ids())?.toSorted()).toEqual(['1', '2']);
    await page.getByRole('button').click();
    await arriveAtShop(page);
    await open(withConsent);
    expect(await ids()).toEqual(['1']);
  });
});
