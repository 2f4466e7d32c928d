import type { CommonTexts } from '../text/common/en.ts';
import { ApiError } from './api-error.ts';

/** What an error means, in the person's language. The server's message, in English, says which input is wrong. */
export const errorText = (error: Error, texts: CommonTexts): string => {
  if (!(error instanceof ApiError)) return error.message;
  if (error.status === 0) return texts.offline;
  if (error.status === 404) return texts.notFoundText;
  if (error.status === 429) return texts.busy;
  if (error.status === 503) return texts.unavailable;
  return error.status >= 500 || error.message === '' ? texts.unexpected : error.message;
};
