import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arriveAtShop, givenVisitors, type Visitors } from '../support/given-visitors.ts';

describe("landing's browser id, in a browser", () => {
  let visitors: Visitors;
  beforeAll(async () => {
    visitors = await givenVisitors();
  }, 180_000);
  afterAll(() => visitors[Symbol.asyncDispose]());

  it("deletes the browser id that it has set once a visitor refuses, and leaves the one of the shop's pixel", async () => {
    const [requester, silent] = await Promise.all([
      visitors.givenPage({ consentText: 'I agree' }),
      visitors.givenPage({ consentText: null }),
    ]);
    await using window = await visitors.open();
    const { page } = window;
    const open = (landingPage: typeof requester) =>
      page.goto(visitors.addressOf(landingPage).replace('127.0.0.1', 'go.shop.localhost'));
    const ids = async () => String(await page.evaluate('document.cookie')).match(/(?<=_fbp=fb\.)\d/g);
    await open(silent);
    expect(await ids()).toEqual(['2']);
    const pixels = 'fb.1.1554763741205.2114433221';
    await page.evaluate(`document.cookie = '_fbp=${pixels}; domain=shop.localhost; path=/'`);
    await page.getByRole('button').click();
    await arriveAtShop(page);
    expect(await visitors.leadsOf(silent)).toMatchObject([{ clickParameters: { _fbp: pixels } }]);
    await open(requester);
    expect((await ids())?.toSorted()).toEqual(['1', '2']);
    await page.getByRole('button').click();
    await arriveAtShop(page);
    await open(requester);
    expect(await ids()).toEqual(['1']);
  });
});
