import type { Platforms } from '@leadback/platforms';
import type { SecretsKeys } from '@leadback/secrets';
import type { FieldWords } from './field-words.ts';

/** What actions on connections need, beside the database. */
export interface ConnectionTools {
  readonly platforms: Platforms;
  readonly secretsKeys: SecretsKeys;
  readonly words: FieldWords;
}
