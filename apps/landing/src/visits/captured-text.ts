const controlCharacters = /\p{Cc}/gu;
const charactersMax = 512;

/**
 * A value as a visitor's browser sent it, made storable: control characters dropped, halves of surrogate pairs replaced,
 * cut at 512 characters. null where nothing is left.
 */
export const capturedText = (value: string | null | undefined): string | null => {
  const clean = (value ?? '').toWellFormed().replace(controlCharacters, '');
  return Array.from(clean).slice(0, charactersMax).join('') || null;
};
