import type { FieldWords } from '@leadback/core/connections/connections';
import { optionFlag } from './option-flag.ts';

/** Messages about connections name options. */
export const optionWords: FieldWords = {
  field: ({ name, isFile }) => optionFlag(name) + (isFile ? ' @key.json' : ''),
  mapping: (eventName, value) => `--map-event ${eventName}=${value}`,
};
