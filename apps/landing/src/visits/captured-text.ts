const controlCharacter = /\p{Cc}/u;
const controlCharacters = /\p{Cc}/gu;
const charactersMax = 512;

/**
 * Makes a value from a browser storable: removes control characters, replaces unpaired surrogates, cuts at 512 code
 * points. Returns null if nothing is left.
 */
export const capturedText = (value: string | null | undefined): string | null => {
  if (!value) return null;
  const wellFormed = value.toWellFormed();
  // nearly every value is short and clean
  if (wellFormed.length <= charactersMax && !controlCharacter.test(wellFormed)) return wellFormed;
  const clean = wellFormed.replace(controlCharacters, '');
  return Array.from(clean).slice(0, charactersMax).join('') || null;
};
