import { describe, expect, it } from 'vitest';
import { localeOf } from './locale-of.ts';

describe('the locale of a browser', () => {
  it.each([
    ['es-AR,es;q=0.9,en;q=0.8', 'es-AR'],
    ['pt', 'pt'],
    [' EN-us ; q=1 , fr', 'en-US'],
    ['zh-hant-tw', 'zh-Hant-TW'],
  ])('is the first tag of Accept-Language: %s', (acceptLanguage, locale) => {
    expect(localeOf(acceptLanguage)).toBe(locale);
  });

  it.each([null, '', '*', '*;q=0.5', ';q=1', 'x', 'es_AR', 'a-b-c', '<script>'])(
    'is not known from %j',
    (acceptLanguage) => {
      expect(localeOf(acceptLanguage)).toBeUndefined();
    },
  );
});
