import { describe, expect, it } from 'vitest';
import { localeOf } from './event-parts.ts';

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
