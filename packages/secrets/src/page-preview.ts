import { isKeyedCheck, keyedCheck } from './keyed-check.ts';
import { keysFor, type Keys, type SecretsKeys } from './secrets-keys.ts';

const checkLength = 22;

export const pagePreviewKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'page preview');

/** The last part of a preview URL. Only a holder of SECRETS_KEY can make it. */
export const pagePreviewCode = (keys: Keys, pageId: number): string =>
  `${pageId}-${keyedCheck(keys, String(pageId), checkLength)}`;

/** The id of the page, or undefined for an invalid code. */
export const pageOfPreviewCode = (keys: Keys, code: string): number | undefined => {
  const { id = '', given = '' } = /^(?<id>[1-9]\d{0,15})-(?<given>[0-9A-Za-z]{22})$/.exec(code)?.groups ?? {};
  return id !== '' && isKeyedCheck(keys, id, given) ? Number(id) : undefined;
};
