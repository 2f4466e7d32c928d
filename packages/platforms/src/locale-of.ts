// language, script and region of BCP 47; TikTok takes neither extensions nor names such as `hello` for a language
const languageShape = /^[a-z]{2,3}$/;

const localeIn = (tag: string): Intl.Locale | undefined => {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined; // no tag at all
  }
};

/**
 * The language that a browser prefers (`es-AR`, `zh-Hant-TW`): of the first tag of `Accept-Language` its language, script
 * and region; `undefined` if it names no language.
 */
export const localeOf = (acceptLanguage: string | null): string | undefined => {
  const locale = localeIn(acceptLanguage?.split(',')[0]?.split(';')[0]?.trim() ?? '');
  if (locale === undefined || !languageShape.test(locale.language)) return undefined;
  return [locale.language, locale.script, locale.region].filter((part) => part !== undefined).join('-');
};
