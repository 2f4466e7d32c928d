import { platformNames } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { platformRegistry } from '../src/index.ts';
import { browserFacts, pageAddress, siteAddress } from '../src/event-parts.ts';
import { givenConversion, now } from './given-conversion.ts';

const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: 'http://127.0.0.1:9' }, { now: () => now });

/** What nobody may read in clear, in the ways in which links have it. */
const personal = [
  'ana@example.com',
  'ana%40example.com',
  'ana%2540example.com',
  '+5491123456789',
  '%2B54%209%2011%202345-6789',
  '-34.6037,-58.3816',
];
const parameters = [
  'email=ana%40example.com',
  'phone=%2B5491123456789',
  'name=Ana+G%C3%B3mez',
  'token=s3cret',
  'lat=-34.6037',
  'gclid=Cj0Kother',
].join('&');
const clicks = {
  gclid: 'Cj0KCQiA-abcdefghij',
  fbclid: 'IwAR2F4-dbP0l7Mn1IawQQ',
  ttclid: 'E.C.P.abcdefghijk',
  li_fat_id: '4c2b1f3e-5a6d-4e7f-8a9b-0c1d2e3f4a5b',
  msclkid: '0123456789abcdef0123456789abcdef',
};

describe('what a platform is told of the visitor', () => {
  it.each(platformNames)('has nothing personal in an address: %s', (name) => {
    const { settings, credentials } = platforms[name].sample(1);
    const access = platforms[name].access(settings, credentials, 'live');
    for (const seen of personal) {
      const event = givenConversion({
        client: { email: 'buyer@example.com' },
        lead: {
          clickParameters: clicks,
          landingUrl: `https://user:pass@go.example/offer/${seen}/x?${parameters}&utm_content=${seen}&utm_source=fb#${seen}`,
          referrer: `https://mail.example.com/inbox/${seen}?user=${seen}&session=abc123`,
          userAgent: `Mozilla/5.0 ${seen.includes('@') ? seen : ''}`,
          acceptLanguage: 'es-AR',
        },
      });
      const told = JSON.stringify(access.prepare(event, now));
      expect(told).toContain('"kind":"event"');
      expect(told).not.toMatch(/@|%40|s3cret|token|lat=|34\.6037|abc123|inbox|pass|Cj0Kother/);
      // elsewhere a hash may have these digits
      expect(told).not.toMatch(/https?:[^"]*2345/);
    }
  });
});

describe('the address of a page, as a platform gets it', () => {
  it.each([
    ['https://go.example/offer', 'https://go.example/offer'],
    ['https://go.example/offer?fbclid=IwAR1&utm_source=fb', 'https://go.example/offer?fbclid=IwAR1&utm_source=fb'],
    ['https://go.example/offer?gclid=Cj0K&ttclid=E.C.P&fbclid=IwAR1', 'https://go.example/offer?fbclid=IwAR1'],
    ['https://go.example/offer?coupon=SAVE10&utm_id=120211', 'https://go.example/offer?utm_id=120211'],
    ['https://go.example/offer?utm_campaign=22334455667788', 'https://go.example/offer?utm_campaign=22334455667788'],
    ['https://go.example/offer?utm_term=zapatos+rojos', 'https://go.example/offer?utm_term=zapatos+rojos'],
    ['https://go.example/offer?utm_content=ana@example.com', 'https://go.example/offer'],
    ['https://go.example/offer?utm_content=%2B54+11+2345-6789', 'https://go.example/offer'],
    ['https://go.example/offer?utm_content=ana%2540example.com', 'https://go.example/offer'],
    ['https://go.example/offer#ana@example.com', 'https://go.example/offer'],
    ['https://ana:secret@go.example/offer', 'https://go.example/offer'],
    ['https://go.example:8443/offer', 'https://go.example:8443/offer'],
    ['https://go.example/u/ana@example.com/offer', 'https://go.example/u/-/offer'],
    ['https://go.example/u/ana%40example.com', 'https://go.example/u/-'],
    ['https://go.example/call/+5491123456789', 'https://go.example/call/-'],
    ['https://go.example/at/-34.6037,-58.3816', 'https://go.example/at/-'],
    ['https://go.example/order/123456789012', 'https://go.example/order/123456789012'],
    ['https://go.example/zapatos-2026-11-20', 'https://go.example/zapatos-2026-11-20'],
    ['http://go.example', 'http://go.example/'],
    ['https://tienda.example/cat%C3%A1logo', 'https://tienda.example/cat%C3%A1logo'],
    ['javascript:alert(1)', undefined],
    ['android-app://com.example', undefined],
    ['not an address', undefined],
    [null, undefined],
  ])('%s', (seen, told) => {
    expect(pageAddress(seen, ['fbclid'])).toBe(told);
  });
});

describe('the user agent, as a platform gets it', () => {
  it.each([
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.6723.58 Mobile Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 336.0.0.21.114 (iPhone12,3; iOS 17_5; es_AR; scale=3.00; 1125x2436; 603441832)',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 [FBAN/FBIOS;FBAV/488.0.0.73.105;FBBV/662000000;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.5;FBSS/3;FBID/phone;FBLC/es_LA;FBOP/5;FBRV/663000000]',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 musical_ly_2023107030 JsSdk/1.0 NetType/WIFI Channel/googleplay ByteLocale/es Region/AR BytedanceWebview/d8a21c6',
    'Mozilla/5.0 (X11; U; Linux; es-AR) AppleWebKit/531.2+ (KHTML, like Gecko) Safari/531.2+ Epiphany/2.30.6',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0.1) Gecko/20100101 Firefox/131.0.1',
  ])('is whole for a browser: %s', (userAgent) => {
    expect(browserFacts({ ...givenConversion({}).lead, userAgent }).userAgent).toBe(userAgent);
  });

  it.each(['ana@example.com', 'ana%40example.com', '+54 9 11 5550-1470', '+5491155501470', '-34.60376,-58.38162'])(
    'is none if an app has put %s into it',
    (written) => {
      const lead = { ...givenConversion({}).lead, userAgent: `Mozilla/5.0 (X11) Shop/1.0 ${written}` };
      expect(browserFacts(lead).userAgent).toBeUndefined();
    },
  );
});

describe('where a visitor came from, as a platform gets it', () => {
  it.each([
    ['https://mail.example.com/inbox?user=ana@example.com&session=abc123', 'https://mail.example.com/'],
    ['https://www.google.com/search?q=ana+gomez', 'https://www.google.com/'],
    ['http://127.0.0.1:8080/a/b', 'http://127.0.0.1:8080/'],
    ['https://ana:secret@shop.example/', 'https://shop.example/'],
    ['android-app://com.google.android.gm/', undefined],
    ['about:blank', undefined],
    ['', undefined],
    [null, undefined],
  ])('%s', (seen, told) => {
    expect(siteAddress(seen)).toBe(told);
  });
});
