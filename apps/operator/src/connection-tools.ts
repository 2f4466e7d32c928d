import type { ConnectionTools } from '@leadback/administration';
import type { OperatorContext } from './command.ts';
import { optionWords } from './option-words.ts';
import { requireSetting } from './require-setting.ts';

/** Throws an OperatorError if SECRETS_KEY is not set. */
export const connectionTools = ({
  platforms,
  secretsKeys,
}: Pick<OperatorContext, 'platforms' | 'secretsKeys'>): ConnectionTools => ({
  platforms,
  secretsKeys: requireSetting('SECRETS_KEY', secretsKeys),
  words: optionWords,
});
