import { ApiError } from '../api/api-error.ts';
import { PasskeyNotGiven } from './browser-passkeys.ts';
import type { PasskeyTexts } from './texts.ts';

/** What a failed attempt with a passkey means; undefined if it has failed as every request may. */
export const passkeyProblem = (error: Error, texts: PasskeyTexts): string | undefined => {
  if (error instanceof PasskeyNotGiven) return error.isKnown ? texts.isKnown : texts.notGiven;
  return error instanceof ApiError && error.is('passkey-refused') ? texts.refused : undefined;
};
