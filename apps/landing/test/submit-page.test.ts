import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import {
  consentRequestKeys,
  hashConsentText,
  isGenuineLeadReference,
  leadReferenceKeys,
  signConsentRequest,
} from '@leadback/domain/keys';
import { hiddenFieldsIn, secretsKeys, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { cookieSet, givenLanding, referenceIn, type Reply, type TestLanding } from './given-landing.ts';

const target = 'https://shop.example/offer';
const landing = await shared(givenLanding());

const proofIn = (reply: Awaited<ReturnType<TestLanding['visit']>>) =>
  cookieSet(reply, `lead-${referenceIn(reply.location).charAt(0)}`).split('.')[2];
const oldForm = ({ id }: { id: number }) => {
  const token = `${Date.now() - 25 * 3_600_000}-${randomUUID()}`;
  const textHash = hashConsentText(null);
  const request = { pageId: id, scope: 'nothing', textHash } as const;
  const signature = signConsentRequest(consentRequestKeys(secretsKeys), request, token);
  return { token, asked: 'nothing', proof: `${textHash}.${signature}` };
};

describe('a visitor who submits the page', () => {
  it('records a lead and redirects to the target page with its lead reference', async () => {
    const page = await landing.givenPage({ targetUrl: 'https://s.example/?a=1#top' });
    const gone = await landing.submit(`/${page.slug}?gclid=G1`);
    expect(gone.status).toBe(303);
    expect(gone.location).toMatch(/^https:\/\/s\.example\/\?a=1&gclid=G1&serviceId=[0-9A-Za-z]{22}#top$/);
    expect(isGenuineLeadReference(leadReferenceKeys(secretsKeys), referenceIn(gone.location))).toBe(true);
    expect(await landing.leadOf(gone)).toMatchObject({
      clickParameters: { gclid: 'G1', _fbp: expect.any(String) },
      consent: null,
      consentScope: null,
    });
  });

  it('records a lead and redirects at once in direct mode', async () => {
    const page = await landing.givenPage({ mode: 'direct' });
    const { status, location } = await landing.visit(`/${page.slug}?fbclid=F1`);
    expect(status).toBe(302);
    expect(await landing.leadOf({ location })).toMatchObject({ clickParameters: { fbclid: 'F1' } });
  });

  it('records one lead, however often the same form is sent', async () => {
    const page = await landing.givenPage({ askedFields: ['email'] });
    const shown = async () => hiddenFieldsIn((await landing.visit(`/${page.slug}?gclid=G`)).html);
    const own = await shown();
    const send = (email: string) => landing.visit(`/${page.slug}?gclid=G`, { form: { ...own, email } });
    const locations = (await Promise.all(Array.from({ length: 8 }, () => send('ana@x.example')))).map(
      ({ location }) => location,
    );
    expect(new Set(locations).size).toBe(1);
    expect(await landing.leadsOf(page)).toBe(1);

    const { location: corrected } = await send('ana@y.example');
    expect(await landing.leadOf({ location: corrected })).toMatchObject({ email: 'ana@y.example' });
    await landing.visit(`/${page.slug}?gclid=G`, { form: { ...(await shown()), email: 'ana@x.example' } });
    expect(await landing.leadsOf(page)).toBe(3);
  });

  it.each([
    ['that another site makes a browser send', {}, { 'sec-fetch-site': 'cross-site' }],
    ['that another site makes an old browser send', {}, { origin: 'https://evil.example' }],
    ['with a token that Leadback did not sign', { proof: '' }, {}],
    ['that claims nothing of what the page asked', { asked: '' }, {}],
  ])('gives a form %s a reference and a proof that nobody else can have', async (_, forged, headers) => {
    const page = await landing.givenPage({ askedFields: ['email'] });
    const path = `/${page.slug}?gclid=G`;
    // of the attacker, who has its token and knows what the other form will contain
    const form = { ...hiddenFieldsIn((await landing.visit(path)).html), email: 'ana@x.example' };
    const attackers = await landing.visit(path, { form, headers: { 'sec-fetch-site': 'same-origin' } });
    const others = await Promise.all([1, 2].map(() => landing.visit(path, { form: { ...form, ...forged }, headers })));
    const all = [attackers, ...others];
    expect(new Set(all.map(({ location }) => referenceIn(location))).size).toBe(3);
    expect(new Set(all.map(proofIn)).size).toBe(3);
    expect(all.map(proofIn)).not.toContain(undefined);
    expect(await landing.leadsOf(page)).toBe(3);
  });

  it('shows the token of a form that another site makes a browser send to nobody who corrects it', async () => {
    const page = await landing.givenPage({ askedFields: ['email'] });
    const own = hiddenFieldsIn((await landing.visit(`/${page.slug}`)).html);
    const returned = async (headers: Record<string, string>) => {
      const { status, html } = await landing.visit(`/${page.slug}`, { form: { ...own, email: 'ana' }, headers });
      expect(status).toBe(422);
      return hiddenFieldsIn(html);
    };
    expect(await returned({ 'sec-fetch-site': 'same-origin' })).toEqual(own);
    const corrected = await returned({ 'sec-fetch-site': 'cross-site' });
    expect(corrected['token']).not.toBe(own['token']);
    const sent = { form: { ...corrected, email: 'ana@x.example' } };
    const twice = await Promise.all([1, 2].map(() => landing.visit(`/${page.slug}`, sent)));
    expect(new Set(twice.map(({ location }) => referenceIn(location))).size).toBe(1);
  });

  it('records a lead each time for a form of more than a day before', async () => {
    const page = await landing.givenPage();
    const form = oldForm(page);
    const sent = await Promise.all([1, 2].map(() => landing.visit(`/${page.slug}`, { form })));
    expect(new Set(sent.map(({ location }) => referenceIn(location))).size).toBe(2);
    expect(new Set(sent.map(proofIn)).size).toBe(2);
  });

  it('records one lead if the page was prefetched and the form is sent twice', async () => {
    const page = await landing.givenPage();
    const { html, headers } = await landing.visit(`/${page.slug}?gclid=G`, {
      headers: { 'sec-purpose': 'prefetch;prerender', referer: 'https://x.example/' },
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect(html).toContain('name="referrer" value="https://x.example/"');
    const form = hiddenFieldsIn(html);
    await Promise.all([1, 2].map(() => landing.visit(`/${page.slug}?gclid=G`, { form })));
    expect(await landing.leadsOf(page)).toBe(1);
  });

  it('records no lead for a form that is cut off', async () => {
    const page = await landing.givenPage({ consentText: 'I agree' });
    const socket = connect(landing.port, '127.0.0.1');
    const head = `POST /${page.slug} HTTP/1.1\r\nHost: x\r\nUser-Agent: Mozilla/5.0 Chrome/130.0.0.0\r\n`;
    const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ntoken=abc';
    await new Promise((resolve) => {
      socket.write(head + form, resolve);
    });
    socket.destroy();
    await once(socket, 'close');
    // a later request has been answered
    const { location } = await landing.submit(`/${page.slug}`, { consent: 'yes' });
    expect(await landing.leadOf({ location })).toMatchObject({ consent: true });
    expect(await landing.leadsOf(page)).toBe(1);
  });

  it.each(['Content-Length: 100000000', 'Transfer-Encoding: chunked'])(
    'answers a form of more than 32 KiB before the rest of it has arrived (%s)',
    async (header) => {
      const page = await landing.givenPage({ askedFields: ['name'] });
      const socket = connect(landing.port, '127.0.0.1');
      const part = 'name='.padEnd(40_000, 'x');
      socket.write(
        `POST /${page.slug} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n${header}\r\n\r\n`,
      );
      socket.write(header.startsWith('Content') ? part : `${part.length.toString(16)}\r\n${part}\r\n`);
      const [answer] = (await once(socket, 'data')).map(String);
      socket.destroy();
      expect(answer).toMatch(/^HTTP\/1\.1 422 /);
    },
  );

  it('records separate leads for two pages with the same token', async () => {
    const pages = await Promise.all([1, 2].map(() => landing.givenPage()));
    const form = hiddenFieldsIn((await landing.visit(`/${pages[0]?.slug}`)).html);
    const sent = await Promise.all(pages.map(({ slug }) => landing.visit(`/${slug}`, { form })));
    expect(new Set(sent.map(({ location }) => referenceIn(location))).size).toBe(2);
    expect(await Promise.all(pages.map((page) => landing.leadsOf(page)))).toEqual([1, 1]);
  });

  it('records only the fields that the page asks for, and the first referrer', async () => {
    const page = await landing.givenPage({ askedFields: ['name', 'email'] });
    const shown = await landing.visit(`/${page.slug}`, { headers: { referer: 'https://x.example/"><b>' } });
    expect(shown.html).toContain('value="https://x.example/&quot;&gt;&lt;b&gt;"');
    const form = { name: ' Ana ', email: 'ana@x.example', phone: '1', referrer: 'https://x.example/' };
    const { location } = await landing.visit(`/${page.slug}`, { form });
    expect(await landing.leadOf({ location })).toMatchObject({
      name: 'Ana',
      email: 'ana@x.example',
      phone: null,
      referrer: 'https://x.example/',
    });
  });

  it.each(['en', 'es', 'pt'] as const)(
    'shows in %s what to correct, and keeps all entered values',
    async (language) => {
      const page = await landing.givenPage({
        language,
        askedFields: ['name', 'email', 'phone'],
        consentText: 'I agree',
      });
      const shown = await landing.visit(`/${page.slug}?gclid=G`, { headers: { referer: 'https://x.example/' } });
      const own = hiddenFieldsIn(shown.html);
      const form = { ...own, name: 'Ana "la" <b>', email: 'nobody', phone: '', consent: 'yes' };
      const { status, html } = await landing.visit(`/${page.slug}?gclid=G`, { form });
      expect(status).toBe(422);
      expect(html).toContain('value="Ana &quot;la&quot; &lt;b&gt;"');
      expect(html).toContain('value="nobody"');
      expect(html).toMatch(/id="consent"[^>]* checked>/);
      expect(hiddenFieldsIn(html)).toEqual(own);
      expect(own['referrer']).toBe('https://x.example/');
      expect(html.match(/aria-invalid="true"/g)).toHaveLength(2);
      expect(html).toMatch(/role="alert".*href="#email".*href="#phone"/s);
      expect(await landing.leadsOf(page)).toBe(0);
      const { location } = await landing.visit(`/${page.slug}?gclid=G`, {
        form: { ...form, email: 'ñandú@correo.example', phone: '11 2345' },
      });
      expect(await landing.leadOf({ location })).toMatchObject({
        email: 'ñandú@correo.example',
        phone: '11 2345',
        consent: true,
      });
    },
  );

  it.each([
    ['name', ['', ' ', '-', '\t']],
    ['email', ['', ' ', 'ana', '@x', 'ana@', 'a b@x.example', 'a@b@c']],
    ['phone', ['', ' ', '+', 'none']],
  ] as const)('returns a form without a usable %s for correction', async (field, unusable) => {
    const page = await landing.givenPage({ askedFields: [field] });
    for (const value of unusable) {
      const { status } = await landing.visit(`/${page.slug}`, { form: { [field]: value } });
      expect([value, status]).toEqual([value, 422]);
    }
    expect((await landing.visit(`/${page.slug}`, { form: {} })).status).toBe(422);
    expect(await landing.leadsOf(page)).toBe(0);
  });

  it.each([
    ['an unreadable form', 'multipart/form-data', 'x'],
    ['a form that is too large', 'application/x-www-form-urlencoded', `a=${'x'.repeat(40_000)}`],
    ['several values of one field', 'application/x-www-form-urlencoded', 'token=a&token=b&consent=yes&consent=no'],
    ['malformed names', 'application/x-www-form-urlencoded', '__proto__=1&constructor=2&[]=3&%=4'],
  ])('redirects a visitor who sends %s', async (_, type, body) => {
    const page = await landing.givenPage();
    const { status, location } = await landing.visit(`/${page.slug}?gclid=G`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    expect(status).toBe(303);
    expect(await landing.leadOf({ location })).toMatchObject({ clickParameters: { gclid: 'G' } });
  });

  it('redirects only to the target page, whatever the request contains', async () => {
    const page = await landing.givenPage();
    const query = 'target=https://evil.example&url=//evil.example&serviceId=mine';
    const { location } = await landing.visit(`/${page.slug}?${query}`, {
      form: { target: 'https://evil.example', targetUrl: '//evil.example' },
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    });
    expect(location).toMatch(/^https:\/\/shop\.example\/offer\?serviceId=[0-9A-Za-z]{22}$/);
  });
});

describe('a page in direct mode', () => {
  it.each([
    ['a prefetch', { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'document' }],
    ['a prerender', { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-dest': 'document' }],
    ['a prefetch of a link', { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'empty' }],
    ['a prefetch of an older browser', { purpose: 'prefetch' }],
    ['a prefetch of an older Firefox', { 'x-moz': 'prefetch' }],
    ['a prefetch of an app', { 'x-purpose': 'preview' }],
  ])('declines %s, so that the browser requests the page again at the click', async (_, headers) => {
    const page = await landing.givenPage({ mode: 'direct' });
    const declined = await landing.visit(`/${page.slug}?gclid=G`, { headers });
    expect([declined.status, declined.location]).toEqual([503, undefined]);
    expect(declined.headers['cache-control']).toBe('no-store');
    expect(declined.headers['set-cookie']).toBeUndefined();
    expect(declined.html.length).toBeLessThan(100);
    expect(await landing.leadsOf(page)).toBe(0);
    expect(referenceIn((await landing.visit(`/${page.slug}?gclid=G`)).location)).not.toBe('');
  });

  it.each(['image', 'iframe', 'script', 'empty'])(
    'records no lead for a direct page that is loaded as %s',
    async (destination) => {
      const page = await landing.givenPage({ mode: 'direct' });
      const headers = { 'sec-fetch-dest': destination };
      const sent = await landing.visit(`/${page.slug}?gclid=G`, { headers });
      expect([sent.status, sent.location, sent.headers['cache-control']]).toEqual([302, target, 'no-store']);
      expect(sent.headers['set-cookie']).toBeUndefined();
      expect(await landing.leadsOf(page)).toBe(0);
    },
  );

  it.each([
    ['of a browser that says so', { 'sec-fetch-dest': 'document' }],
    ['of a browser that does not say', {}],
  ])('records a lead for a navigation %s', async (_, headers) => {
    const page = await landing.givenPage({ mode: 'direct' });
    const { status, location } = await landing.visit(`/${page.slug}?gclid=G`, { headers });
    expect([status, referenceIn(location)]).toEqual([302, expect.stringMatching(/^[0-9A-Za-z]{22}$/)]);
    expect(await landing.leadsOf(page)).toBe(1);
  });

  it.each([
    ['a crawler', { headers: { 'user-agent': 'facebookexternalhit/1.1' } }],
    ['a command-line client', { headers: { 'user-agent': 'curl/8.1' } }],
    ['a link preview', { headers: { 'user-agent': 'WhatsApp/2.23.20.0' } }],
    ['HEAD', { method: 'HEAD' }],
  ])('redirects %s without a lead reference and records no lead', async (_, visit) => {
    const page = await landing.givenPage({ mode: 'direct' });
    const { status, location } = await landing.visit(`/${page.slug}?gclid=G`, visit);
    expect([status, location]).toEqual([302, target]);
    expect(await landing.leadsOf(page)).toBe(0);
  });

  it('adds the lead reference to the query of the target page, and redirects without a body', async () => {
    const targetUrl = 'https://shop.example/añejo?a=1&b=%20x#top';
    const page = await landing.givenPage({ mode: 'direct', targetUrl });
    const { location, html, headers } = await landing.visit(`/${page.slug}?gclid=G`);
    expect(location).toMatch(/^https:\/\/shop\.example\/a%C3%B1ejo\?a=1&b=%20x&gclid=G&serviceId=[0-9A-Za-z]{22}#top$/);
    expect([html, headers['content-length']]).toEqual(['', '0']);
    const bot = await landing.visit(`/${page.slug}`, { headers: { 'user-agent': 'curl/8.1' } });
    expect(bot.location).toBe('https://shop.example/a%C3%B1ejo?a=1&b=%20x#top');
  });

  it.each([
    ['known', 'https://shop.example/x', 'https://shop.example/x?gclid=Cj0K-1&utm_campaign=c%26d&serviceId=R'],
    ['none', 'https://shop.example/x', 'https://shop.example/x?serviceId=R'],
    [
      'coupon,product',
      'https://shop.example/x',
      'https://shop.example/x?gclid=Cj0K-1&utm_campaign=c%26d&coupon=SAVE10&product=42&serviceId=R',
    ],
    [
      'known',
      'https://shop.example/x?gclid=own&a=1',
      'https://shop.example/x?gclid=own&a=1&utm_campaign=c%26d&serviceId=R',
    ],
    ['none', 'https://shop.example/x?click={lead}#{utm_campaign}', 'https://shop.example/x?click=R&serviceId=R#c%26d'],
    ['none', 'https://shop.example/x?src={utm_source}&g={gclid}', 'https://shop.example/x?src=&g=Cj0K-1&serviceId=R'],
  ])('hands on the parameters that the page names (%s) to %s', async (passedParameters, targetUrl, expected) => {
    const page = await landing.givenPage({ mode: 'direct', targetUrl, passedParameters });
    const query = 'gclid=Cj0K-1&utm_campaign=c%26d&coupon=SAVE10&product=42&serviceId=forged&email=ana@example.com';
    const { location } = await landing.visit(`/${page.slug}?${query}`);
    expect(location?.replaceAll(referenceIn(location), 'R')).toBe(expected);
  });

  it('hands on a click id that was sent as the cookie of a tag, without what is around it, and none that the browser remembers', async () => {
    const page = await landing.givenPage({ mode: 'direct', targetUrl: 'https://shop.example/x' });
    const at = Math.floor(Date.now() / 1000) - 3600;
    const { location, headers } = await landing.visit(`/${page.slug}?gclid=GCL.${at}.Cj0K-1`);
    expect(location).toMatch(/\?gclid=Cj0K-1&serviceId=/);
    const cookie = [headers['set-cookie'] ?? []].flat().map((one) => one.split(';')[0]);
    const later = await landing.visit(`/${page.slug}?fbclid=F-2`, { headers: { cookie: cookie.join('; ') } });
    expect(later.location).toMatch(/x\?fbclid=F-2&serviceId=/);
  });

  it('percent-encodes what the URL standard leaves as it is in the URL of the target page', async () => {
    const targetUrl = 'https://shop.example/50%?name={name}&tick=`#{`';
    const page = await landing.givenPage({ mode: 'direct', targetUrl });
    const { location } = await landing.visit(`/${page.slug}?gclid=G`);
    expect(location?.replace(referenceIn(location), 'R')).toBe(
      'https://shop.example/50%25?name=%7Bname%7D&tick=%60&gclid=G&serviceId=R#%7B%60',
    );
    const bot = await landing.visit(`/${page.slug}`, { headers: { 'user-agent': 'curl/8.1' } });
    expect(bot.location).toBe('https://shop.example/50%25?name=%7Bname%7D&tick=%60#%7B%60');
  });
});

const redirectedWithoutReference = (sent: Reply) => {
  expect([sent.status, sent.location]).toEqual([303, target]);
  expect([sent.headers['set-cookie'], sent.headers['cache-control']]).toEqual([undefined, 'no-store']);
};

describe('a form that no visitor sent', () => {
  it.each(['image', 'iframe', 'script', 'empty'])(
    'records no lead for a form whose response is used as %s',
    async (destination) => {
      const page = await landing.givenPage({ askedFields: ['name'] });
      const own = hiddenFieldsIn((await landing.visit(`/${page.slug}?gclid=G`)).html);
      const send = (headers: Record<string, string>, name = 'Ana') =>
        landing.visit(`/${page.slug}?gclid=G`, { form: { ...own, name }, headers });
      redirectedWithoutReference(await send({ 'sec-fetch-dest': destination }));
      redirectedWithoutReference(await send({ 'sec-fetch-dest': destination }, ''));
      expect(await landing.leadsOf(page)).toBe(0);
      const { location } = await send({ 'sec-fetch-dest': 'document' });
      expect(referenceIn(location)).toMatch(/^[0-9A-Za-z]{22}$/);
      expect(await landing.leadsOf(page)).toBe(1);
    },
  );

  it.each([
    ['of a browser that says what it asks for', { 'sec-fetch-dest': 'document' }],
    ['of a browser that does not say', {}],
  ])('records no lead for a form sent to a direct page: %s', async (_, headers) => {
    const page = await landing.givenPage({ mode: 'direct' });
    const form = { token: 'T', consent: 'yes' };
    redirectedWithoutReference(await landing.visit(`/${page.slug}?gclid=G`, { form, headers }));
    expect(await landing.leadsOf(page)).toBe(0);
  });
});
