const tagShape = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;

/** The language that a browser prefers, as a BCP 47 tag (`es-AR`): the first of `Accept-Language`; `undefined` if none is. */
export const localeOf = (acceptLanguage: string | null): string | undefined => {
  const tag = acceptLanguage?.split(',')[0]?.split(';')[0]?.trim() ?? '';
  if (!tagShape.test(tag)) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined; // of the shape of a tag, but none
  }
};
