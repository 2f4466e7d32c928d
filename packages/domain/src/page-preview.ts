import { isKeyedCheck, keyedCheck } from './keyed-check.ts';
import { deriveKeys, type Keys } from './secrets-keys.ts';

const checkLength = 22;

/** The keys under which previews of landing pages are opened. */
export const pagePreviewKeys = (secretsKeys: Keys): Keys => deriveKeys(secretsKeys, 'page preview');

/** What the address of a page's preview ends with: only the operator can make it. */
export const pagePreviewCode = (keys: Keys, pageId: number): string =>
  `${pageId}-${keyedCheck(keys, String(pageId), checkLength)}`;

/** The page that a code opens; undefined for one that we did not make. */
export const pageOfPreviewCode = (keys: Keys, code: string): number | undefined => {
  const { id = '', given = '' } = /^(?<id>[1-9]\d{0,14})-(?<given>[0-9A-Za-z]{22})$/.exec(code)?.groups ?? {};
  return id !== '' && isKeyedCheck(keys, id, given) ? Number(id) : undefined;
};
