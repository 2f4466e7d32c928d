/** The value that the text spells; `undefined`, which no JSON text spells, where it spells none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
