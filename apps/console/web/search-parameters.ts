type Search = Readonly<Record<string, unknown>>;

const isWord = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/** Search parameters as plain text, so that a person can read and write them: `?platform=meta&state=failed`. */
export const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

export const stringifySearch = (search: Search): string => {
  const entries = Object.entries(search).flatMap(([name, value]) => (isWord(value) ? [[name, String(value)]] : []));
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
};

/** One of these words; undefined if it is another one, or missing. */
export const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === value);

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const idOf = (value: unknown): number | undefined => {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
};

/** Of lists with a search field. */
export const parseFindSearch = ({ find }: Search): { find?: string | undefined } => ({ find: textOf(find) });
