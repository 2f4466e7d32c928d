import { readAccountMetrics } from '@leadback/core/metrics/metrics';
import { shared } from '@leadback/testing';
import { queryParameterNames } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allDelivered } from '../support/deliveries.ts';
import { givenPartner } from '../support/given-partner.ts';
import {
  fieldsOn,
  form,
  givenSites,
  keptIn,
  nothingKept,
  referenceOn,
  reportsIn,
  type SiteOptions,
} from '../support/given-sites.ts';
import { eventId } from '../support/sandbox.ts';

const reference: unknown = expect.stringMatching(/^[0-9A-Za-z]{22}$/);
type Html = NonNullable<SiteOptions['html']>;
const sites = await shared(givenSites());
await Promise.all([sites.stack.start('api'), sites.stack.start('feedback-worker')]);

describe('the script on a page of the advertiser', () => {
  it('carries a click with gclid to the form, and its sale to Meta and Google', async () => {
    const partner = await givenPartner(sites.stack);
    const site = await sites.givenSite(partner);
    await using window = await sites.open();
    const { page } = window;
    await page.goto(site.url('/shoes?gclid=Cj0-Script&fbclid=IwAR-Script&utm_campaign=verano'), {
      referer: 'https://www.google.com/',
    });
    await expect.poll(() => fieldsOn(page)).toEqual([reference]);
    await page.getByRole('button').click();
    await page.waitForURL('**/thanks?*');
    const leadReference = new URL(page.url()).searchParams.get('serviceId');
    const [lead, ...others] = await site.leads();
    expect(others).toEqual([]);
    expect(lead).toMatchObject({
      reference: leadReference,
      clickParameters: { gclid: 'Cj0-Script', fbclid: 'IwAR-Script', utm_campaign: 'verano' },
      referrer: 'https://www.google.com/',
      consent: null,
    });
    await partner.post('/client', { leadReference, externalReference: 'customer-1', email: 'ana@example.com' });
    const order = { clientExternalReference: 'customer-1', conversionExternalReference: 'order-script' };
    expect((await partner.post('/client/conversion', { ...order, amount: 80, currency: 'USD' })).status).toBe(201);
    await allDelivered(sites.stack.database);
    const events = (await sites.stack.sandbox.events()).filter((event) => eventId(event) === 'order-script');
    const eventOf = (name: string) => events.find(({ platform }) => platform === name)?.event;
    expect(events).toHaveLength(2);
    expect(eventOf('google')).toMatchObject({ adIdentifiers: { gclid: 'Cj0-Script' } });
    expect(eventOf('meta')).toMatchObject({ user_data: { fbc: expect.stringMatching(/IwAR-Script$/) } });
    const question = { accountId: partner.account.id, from: '2000-01-01', to: '2100-01-01', by: ['campaign'] } as const;
    expect(await readAccountMetrics(sites.stack.database.em(), question)).toMatchObject([
      { campaign: 'verano', values: { leads: 1, clients: 1, conversions: 1 } },
    ]);
  });

  it('makes one lead of a click: not of a reload, a second page, another tab, the way back, or a link without click id', async () => {
    const site = await sites.givenSite();
    await using window = await sites.open();
    const { context, page } = window;
    const reports = reportsIn(context);
    await page.goto(site.url('/?gclid=G-1'));
    const first = await referenceOn(page);
    expect(first).toEqual(reference);
    await page.reload();
    await page.goto(site.url('/second'));
    expect(await fieldsOn(page)).toEqual([first]);
    await page.goBack();
    expect(await fieldsOn(page)).toEqual([first]);
    const other = await context.newPage();
    await other.goto(site.url('/third?gclid=G-1'));
    expect(await fieldsOn(other)).toEqual([first]);
    await using friend = await sites.open();
    await friend.page.goto(site.url('/second'));
    expect(await referenceOn(friend.page)).toBeNull();
    expect(reports.bodies).toHaveLength(1);
    expect(await site.leads()).toHaveLength(1);
  });

  it('keeps the newest click although the visitor goes back to the page of an earlier one', async () => {
    const site = await sites.givenSite();
    await using window = await sites.open();
    const { page } = window;
    await page.goto(site.url('/?gclid=G-1'));
    const first = await referenceOn(page);
    await page.goto(site.url('/?fbclid=F-2'));
    const second = await referenceOn(page);
    expect(second).not.toBe(first);
    await page.goto(site.url('/?gclid=G-1'));
    expect([await referenceOn(page), await fieldsOn(page)]).toEqual([second, [second]]);
    expect(await site.leads()).toHaveLength(2);
  });

  it('takes a campaign without click ids for the same visit for half an hour', async () => {
    const site = await sites.givenSite();
    await using window = await sites.open();
    const { context, page } = window;
    await page.goto(site.url('/?utm_source=newsletter'));
    const first = await referenceOn(page);
    await page.reload();
    expect(await referenceOn(page)).toBe(first);
    const [cookie] = await context.cookies();
    const [kept = '', seconds, hashes] = cookie?.value.split('.') ?? [];
    await context.addCookies([
      { name: 'leadback', value: `${kept}.${Number(seconds) - 1801}.${hashes}`, domain: `.${site.name}`, path: '/' },
    ]);
    await page.reload();
    expect(await referenceOn(page)).not.toBe(first);
    expect(await site.leads()).toHaveLength(2);
  });

  it('keeps the reference on the domain of the site for 90 days from the click, for all its hosts', async () => {
    const site = await sites.givenSite();
    await using window = await sites.open();
    const { context, page } = window;
    await page.goto(site.url('/?gclid=G-1'));
    const issued = await referenceOn(page);
    const [cookie, ...others] = await context.cookies();
    expect(others).toEqual([]);
    const [kept, seconds = '', hashes] = cookie?.value.split('.') ?? [];
    expect([kept, hashes]).toEqual([issued, expect.stringMatching(/^\w+$/)]);
    expect(cookie).toMatchObject({
      name: 'leadback',
      domain: `.${site.name}`,
      path: '/',
      sameSite: 'Lax',
      httpOnly: false,
    });
    expect(Math.abs((cookie?.expires ?? 0) - Number(seconds) - 90 * 86_400)).toBeLessThan(5);
  });

  it('finds the reference in storage after Safari has deleted the cookie, and none after it has deleted both', async () => {
    const site = await sites.givenSite();
    await using window = await sites.open();
    const { context, page } = window;
    await page.goto(site.url('/?gclid=G-1'));
    const issued = await referenceOn(page);
    await context.clearCookies();
    await page.goto(site.url('/later'));
    expect(await fieldsOn(page)).toEqual([issued]);
    expect(await context.cookies()).toMatchObject([{ name: 'leadback', domain: `.${site.name}` }]);
    await page.evaluate('localStorage.clear()');
    await context.clearCookies();
    await page.goto(site.url('/last'));
    expect([await referenceOn(page), await fieldsOn(page)]).toEqual([null, ['']]);
    expect(await site.leads()).toHaveLength(1);
  });

  it('works without any storage, and gets the same reference for the same click', async () => {
    const site = await sites.givenSite();
    await using window = await sites.open();
    const { page } = window;
    await page.addInitScript(`
      Object.defineProperty(document, 'cookie', { get() { return ''; }, set() {} });
      for (const area of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, area, { get() { throw new DOMException('denied', 'SecurityError'); } });
    `);
    await page.goto(site.url('/?gclid=G-1'));
    const first = await referenceOn(page);
    expect([first, await fieldsOn(page)]).toEqual([reference, [first]]);
    await page.reload();
    expect(await referenceOn(page)).toBe(first);
    expect(await site.leads()).toHaveLength(1);
  });

  it('uses the reference of a landing page, and makes no second lead of that click', async () => {
    const site = await sites.givenSite();
    await using window = await sites.open();
    const { context, page } = window;
    const reports = reportsIn(context);
    await page.goto(site.url('/?gclid=G-1&serviceId=Zk3vT9qLm2XcB7nRw5YdHs'));
    expect(await fieldsOn(page)).toEqual(['Zk3vT9qLm2XcB7nRw5YdHs']);
    await page.goto(site.url('/?gclid=G-1'));
    expect(await referenceOn(page)).toBe('Zk3vT9qLm2XcB7nRw5YdHs');
    expect(reports.bodies).toEqual([]);
  });
});

const manyFields: Html = ({ snippet }) =>
  `${snippet}<input name="leadReference" value="of the site"><input name="leadReference"><textarea name="serviceId"></textarea>
       <input data-leadback name="ref"><input name="email">`;

describe('forms of the advertiser', () => {
  it('are filled when they are added later, and never over what somebody else has entered', async () => {
    const site = await sites.givenSite({ html: manyFields });
    await using window = await sites.open();
    const { page } = window;
    await page.goto(site.url('/?gclid=G-1'));
    const issued = await referenceOn(page);
    expect(await fieldsOn(page)).toEqual(['of the site', issued, issued, '']);
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<p><input name="serviceId"></p>')`);
    await expect.poll(() => fieldsOn(page)).toEqual(['of the site', issued, issued, '', issued]);
    await page.goto(site.url('/?fbclid=F-1'));
    const next = await referenceOn(page);
    await page.evaluate(
      `document.querySelectorAll('input')[1].value = ${JSON.stringify(issued)}; document.body.append('more')`,
    );
    await expect.poll(() => fieldsOn(page)).toEqual(['of the site', next, next, '']);
  });

  it('tell a framework of what they got, once, as if the visitor had typed it', async () => {
    const watched = `<script>
      seen = [];
      document.addEventListener('input', ({ target }) => seen.push('input ' + target.value));
      document.addEventListener('change', ({ target }) => seen.push('change ' + target.value));
      document.addEventListener('leadback:reference', ({ detail }) => seen.push('event ' + detail));
      const field = document.createElement('input');
      field.name = 'serviceId';
      // as React watches a field
      const { get } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
      Object.defineProperty(field, 'value', { get, set() { seen.push('own setter'); } });
      document.body.append(field);
    </script>`;
    const site = await sites.givenSite({ html: ({ snippet }) => `<body>${watched}${snippet}` });
    await using window = await sites.open();
    await window.page.goto(site.url('/'));
    await window.page.evaluate(`history.pushState({}, '', '/?gclid=G-1')`);
    await expect.poll(() => window.page.evaluate('seen.length')).toBe(3);
    const issued = String(await referenceOn(window.page));
    expect(await window.page.evaluate('seen')).toEqual([`input ${issued}`, `change ${issued}`, `event ${issued}`]);
  });

  it('follow the newest click of all tabs', async () => {
    const site = await sites.givenSite();
    await using window = await sites.open();
    const { context, page } = window;
    await page.goto(site.url('/?gclid=G-1'));
    const first = await referenceOn(page);
    const other = await context.newPage();
    await other.goto(site.url('/?gclid=G-2'));
    const second = await referenceOn(other);
    expect(second).not.toBe(first);
    await expect.poll(() => fieldsOn(page)).toEqual([second]);
  });
});

describe('the script', () => {
  it('sees clicks of a site that loads no further page, although it takes the click id out of the URL at once', async () => {
    const site = await sites.givenSite();
    await using window = await sites.open();
    const { page } = window;
    await page.goto(site.url('/'));
    expect(await referenceOn(page)).toBeNull();
    await page.evaluate(`history.pushState({}, '', '/?ttclid=T-1-long'); history.replaceState({}, '', '/clean')`);
    await expect.poll(() => fieldsOn(page)).toEqual([reference]);
    await page.evaluate(`history.pushState({}, '', '/another')`);
    await page.goBack();
    await page.goBack();
    expect(await site.leads()).toMatchObject([{ clickParameters: { ttclid: 'T-1-long' } }]);
  });

  it('finds the click when it comes late, after the site has cleaned the URL and shown its form', async () => {
    const site = await sites.givenSite({ html: () => form });
    await using window = await sites.open();
    const { page } = window;
    await page.goto(site.url('/?gclid=G-1'));
    await page.evaluate(`{
      history.replaceState({}, '', '/');
      const tag = document.createElement('script');
      tag.src = ${JSON.stringify(/src="([^"]+)"/.exec(site.snippet)?.[1])};
      tag.dataset.page = ${JSON.stringify(site.slug)};
      document.head.append(tag);
    }`);
    await expect.poll(() => fieldsOn(page)).toEqual([reference]);
    expect(await site.leads()).toMatchObject([
      { clickParameters: { gclid: 'G-1' }, landingUrl: site.url('/?gclid=G-1') },
    ]);
  });

  it('is not missed by a page that blocks it, and works under the name of the page', async () => {
    const site = await sites.givenSite({
      html: (tags, path) => (path.startsWith('/own') ? tags.plainSnippet : tags.snippet) + form,
    });
    await using window = await sites.open();
    const { context, page } = window;
    const errors: Error[] = [];
    context.on('weberror', (error) => errors.push(error.error()));
    await context.route('**/leadback*.js', (route) => route.abort('blockedbyclient'));
    await page.goto(site.url('/?gclid=G-1'));
    await page.getByRole('button').click();
    await page.waitForURL('**/thanks?serviceId=');
    await page.goto(site.url('/own?gclid=G-1'));
    await expect.poll(() => fieldsOn(page)).toEqual([reference]);
    expect(errors).toEqual([]);
  });

  it('works pinned to a version under a strict policy that names one host, and talks to no other', async () => {
    const { landingUrl } = sites.stack;
    const policy = `default-src 'none'; script-src ${landingUrl}; connect-src ${landingUrl}; require-trusted-types-for 'script'; trusted-types 'none'`;
    const site = await sites.givenSite({
      html: ({ pinnedSnippet }) => pinnedSnippet + form,
      headers: { 'content-security-policy': policy, 'cross-origin-embedder-policy': 'require-corp' },
    });
    await using window = await sites.open();
    const { page } = window;
    const troubles: string[] = [];
    page.on('console', (message) => troubles.push(message.text()));
    page.on('pageerror', ({ message }) => troubles.push(message));
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    await page.goto(site.url('/?gclid=G-1'));
    await expect.poll(() => fieldsOn(page)).toEqual([reference]);
    expect(troubles).toEqual([]);
    expect([...hosts].toSorted()).toEqual([landingUrl, site.origin].toSorted());
  });

  it('sends a click again that the server could not take, also from the next page', async () => {
    const site = await sites.givenSite();
    await using window = await sites.open();
    const { context, page } = window;
    const answers = [503, 'abort', 503];
    await context.route('**/lead', async (route) => {
      const answer = answers.shift();
      if (answer === undefined) return route.fallback();
      return answer === 503
        ? route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*' } })
        : route.abort('connectionreset');
    });
    await page.goto(site.url('/?utm_source=newsletter'));
    expect(await referenceOn(page)).toBeNull();
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await expect.poll(() => answers).toEqual([503]);
    await page.goto(site.url('/form'));
    await expect.poll(() => fieldsOn(page)).toEqual([reference]);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(await site.leads()).toMatchObject([{ landingUrl: site.url('/?utm_source=newsletter') }]);
  });

  // Chromium renders no page in advance, and keeps none alive, while a program drives it: the page is told that it did
  it('records no click of a page that is rendered in advance, until the visitor opens it', async () => {
    const site = await sites.givenSite();
    await using window = await sites.open();
    const { context, page } = window;
    const reports = reportsIn(context);
    await page.addInitScript(`Object.defineProperty(document, 'prerendering', { value: true, configurable: true })`);
    await page.goto(site.url('/?gclid=G-1'));
    expect([await referenceOn(page), await keptIn(page), reports.bodies]).toEqual([null, nothingKept, []]);
    await page.evaluate(`delete document.prerendering; document.dispatchEvent(new Event('prerenderingchange'))`);
    await expect.poll(() => fieldsOn(page)).toEqual([reference]);
    expect(await site.leads()).toHaveLength(1);
  });

  it('fills the form of a page that the browser has kept alive with the click of the page after it', async () => {
    const site = await sites.givenSite();
    await using window = await sites.open();
    const { context, page } = window;
    await page.goto(site.url('/?gclid=G-1'));
    await referenceOn(page);
    const [cookie] = await context.cookies();
    const next = 'Zk3vT9qLm2XcB7nRw5YdHs';
    const value = `${next}${cookie?.value.slice(next.length)}`;
    await context.addCookies([{ name: 'leadback', value, domain: `.${site.name}`, path: '/' }]);
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    expect(await fieldsOn(page)).toEqual([next]);
  });

  it('reports every parameter of a click that Leadback knows, in any case, and no other', async () => {
    const site = await sites.givenSite();
    await using window = await sites.open();
    const { context, page } = window;
    const reported: (string | undefined)[] = [];
    await context.route('**/lead', (route) => {
      const { url } = z.object({ url: z.url() }).parse(route.request().postDataJSON());
      reported.push(/[?&](\w+)=/.exec(url)?.[1]);
      return route.fulfill({ status: 204, headers: { 'access-control-allow-origin': '*' } });
    });
    await page.goto(site.url('/'));
    const known = queryParameterNames.flatMap((name) => [name, name.toUpperCase()]);
    for (const name of [...known, 'q', 'page', 'clid', 'mygclid', 'fbp'])
      await page.evaluate(`history.pushState({}, '', '/?${name}=value-${name}&x=1'); leadback.consent('granted')`);
    await expect.poll(() => reported.length).toBe(known.length);
    expect(new Set(reported)).toEqual(new Set(known));
  });

  it('lets no parameter of a URL into the page, and survives a page that forbids what it uses', async () => {
    const site = await sites.givenSite({
      html: ({ snippet }) =>
        `<script>
          attacked = 0;
          Object.freeze(history);
          window.MutationObserver = undefined;
          window.onerror = window.onunhandledrejection = () => { attacked += 1; };
        </script>${snippet}${snippet}<p id="leadback"></p>${form}`,
    });
    await using window = await sites.open();
    const { page } = window;
    const attack = encodeURIComponent(`"><img src=x onerror="attacked = 100">`);
    await page.goto(site.url(`/?gclid=${attack}&utm_source=${attack}&serviceId=${attack}`));
    await expect.poll(() => fieldsOn(page)).toEqual([reference]);
    expect(await page.evaluate(`[attacked, document.images.length]`)).toEqual([0, 0]);
  });
});
