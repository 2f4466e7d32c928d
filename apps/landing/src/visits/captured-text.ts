const controlCharacters = /\p{Cc}/gu;
const charactersMax = 512;

/**
 * Makes a value from a browser storable: removes control characters, replaces unpaired surrogates, cuts at 512 code
 * points. Returns null if nothing is left.
 */
export const capturedText = (value: string | null | undefined): string | null => {
  const clean = (value ?? '').toWellFormed().replace(controlCharacters, '');
  return Array.from(clean).slice(0, charactersMax).join('') || null;
};
