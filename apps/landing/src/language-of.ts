import { type Language, languages } from '@leadback/domain';
import type { Request } from 'express';

/** The language of the browser, among those of the built-in pages. */
export const languageOf = (request: Request): Language =>
  languages.find((one) => one === request.acceptsLanguages(...languages)) ?? languages[0];
