/** What is typed, without capitals, accents and blanks: `día de la madre` becomes `dia-de-la-madre`. */
export const asSlug = (typed: string): string =>
  typed.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, '-');
