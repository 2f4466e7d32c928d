// language, script and region of BCP 47; TikTok accepts neither extensions nor words such as `hello`
const languageShape = /^[a-z]{2,3}$/;

const localeIn = (tag: string): Intl.Locale | undefined => {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined; // not a language tag
  }
};

/**
 * The preferred language of a browser (`es-AR`, `zh-Hant-TW`): language, script and region of the first tag of
 * `Accept-Language`; `undefined` if it names no language.
 */
export const localeOf = (acceptLanguage: string | null): string | undefined => {
  const locale = localeIn(acceptLanguage?.split(',')[0]?.split(';')[0]?.trim() ?? '');
  if (locale === undefined || !languageShape.test(locale.language)) return undefined;
  return [locale.language, locale.script, locale.region].filter((part) => part !== undefined).join('-');
};
