import { describe, expect, it } from 'vitest';
import { names } from '../test/identifier-vectors.ts';
import { localeOf, publicAddress, hashedName } from './event-parts.ts';
import { splitName } from './full-name.ts';

describe('the locale of a browser', () => {
  it.each([
    ['es-AR,es;q=0.9,en;q=0.8', 'es-AR'],
    ['pt', 'pt'],
    [' EN-us ; q=1 , fr', 'en-US'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['es-419', 'es-419'],
    ['fil-PH', 'fil-PH'],
  ])('the locale of a browser is the first tag of Accept-Language: %s', (acceptLanguage, locale) => {
    expect(localeOf(acceptLanguage)).toBe(locale);
  });

  it.each([
    ['en-US-u-ca-gregory,en;q=0.9', 'en-US'],
    ['es-x-foo', 'es'],
    ['de-DE-1996', 'de-DE'],
    ['zh-Hant-TW-x-private', 'zh-Hant-TW'],
  ])('the locale of a browser is only language, script and region of %s', (acceptLanguage, locale) => {
    expect(localeOf(acceptLanguage)).toBe(locale);
  });

  it.each([null, '', '*', '*;q=0.5', ';q=1', 'x', 'x-foo', 'hello', 'hello-AR', 'es_AR', 'a-b-c', '<script>'])(
    'the locale of a browser is unknown for %j',
    (acceptLanguage) => {
      expect(localeOf(acceptLanguage)).toBeUndefined();
    },
  );
});

describe('the IP address of a visitor', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['8.8.8.8', '8.8.8.8'],
    ['172.32.0.1', '172.32.0.1'],
    ['100.128.0.1', '100.128.0.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['2800:810:4c2::1', '2800:810:4c2::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:8.8.8.8', '8.8.8.8'],
  ])('sends the IP address %s as %s', (written, address) => {
    expect(publicAddress(written)).toBe(address);
  });

  it.each([
    '10.0.0.5',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '127.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    '2001:db8::1%eth0',
    'ff02::1',
    '::ffff:10.0.0.5',
    '::ffff:a00:5',
    '::ffff:127.0.0.1',
  ])('never sends %s, an address of a private network', (written) => {
    expect(publicAddress(written)).toBeUndefined();
  });

  it.each(['', 'unknown', '203.0.113.7, 10.0.0.1', '203.0.113', '0x8.8.8.8', '203.0.113.7:4711', '::ffff:999.1.1.1'])(
    'does not read %j as an IP address',
    (written) => {
      expect(publicAddress(written)).toBeUndefined();
    },
  );
});

describe('a part of a name', () => {
  it.each(names)('hashes a part of a name as the platforms do: %j', (written, hash) => {
    expect(hashedName(written) ?? null).toBe(hash);
  });
});

describe('a full name', () => {
  it.each([
    ['García López, Ana', { first: 'Ana', rest: 'García López' }],
    ['  García López ,Ana María ', { first: 'Ana María', rest: 'García López' }],
    ['Smith, John Q.', { first: 'John', rest: 'Smith' }],
    ['Smith, J.', { first: 'J.', rest: 'Smith' }],
    ['山田，太郎', { first: '太郎', rest: '山田' }],
    ['Smith, John, Jr.', { first: 'John', rest: 'Smith' }],
    ['Smith, Jr., John', { first: 'John', rest: 'Smith' }],
    ['Lee, Co', { first: 'Co', rest: 'Lee' }],
    ['Ng, Spa', { first: 'Spa', rest: 'Ng' }],
    ['Ana, Sa', { first: 'Sa', rest: 'Ana' }],
    ['Duarte, Cia', { first: 'Cia', rest: 'Duarte' }],
    ['Rahman, Md', { first: 'Md', rest: 'Rahman' }],
    ['Rahman, Md Abdul', { first: 'Md Abdul', rest: 'Rahman' }],
    ['García, Dr. Ana', { first: 'Ana', rest: 'García' }],
    ['García, Ing. Ana María', { first: 'Ana María', rest: 'García' }],
    ['García, Lic. Ana', { first: 'Ana', rest: 'García' }],
    ['García, Dr. Ing. Ana', { first: 'Ana', rest: 'García' }],
    ['García, DRA ANA', { first: 'ANA', rest: 'García' }],
    ['Smith, Mr.John, Jr.', { first: 'John', rest: 'Smith' }],
    ['Ng, Ing Wei', { first: 'Ing Wei', rest: 'Ng' }],
    ['Smith, Drew', { first: 'Drew', rest: 'Smith' }],
  ])('reads %j as last name, first name', (written, parts) => {
    expect(splitName(written)).toEqual(parts);
  });

  it.each([
    ['Ana García, PhD', { first: 'Ana', rest: 'García' }],
    ['John Smith, Jr.', { first: 'John', rest: 'Smith' }],
    ['John Smith, M.D., Ph.D.', { first: 'John', rest: 'Smith' }],
    ['Ana García López, Lic.', { first: 'Ana', rest: 'García López' }],
    ['John Smith, MD', { first: 'John', rest: 'Smith' }],
    ['Ana García, Dr. Ing.', { first: 'Ana', rest: 'García' }],
    ['Madonna,', { first: 'Madonna' }],
    [', Ana', { first: 'Ana' }],
  ])('reads %j as first name, last name, without what follows the comma', (written, parts) => {
    expect(splitName(written)).toEqual(parts);
  });

  it.each([
    'Zapatos, S.A.',
    'Acme Shoes, Inc.',
    'Müller, GmbH',
    'Calzados, S. R. L.',
    'Zapatos, SA',
    'Zapatos, s.a.',
    'Acme, Co.',
    'ROSSI, SPA',
    'Pérez, Cía.',
  ])('sends no name for the company %j', (written) => {
    expect(splitName(written)).toEqual({});
  });

  it('sends no name with several commas, because its parts are ambiguous', () => {
    expect(splitName('García, Ana, Buenos Aires')).toEqual({});
  });

  it.each([null, '', ' ', ',', ' , ,'])('reads no name from %j', (written) => {
    expect(splitName(written)).toEqual({});
  });
});
