import { deriveKey } from './derive-key.ts';
import { isKeyedCheck, keyedCheck } from './keyed-check.ts';

const checkLength = 22;

/** The key under which previews of landing pages are opened. */
export const pagePreviewKey = (secretsKey: Buffer) => deriveKey(secretsKey, 'page preview');

/** What the address of a page's preview ends with: only the operator can make it. */
export const pagePreviewCode = (key: Buffer, pageId: number): string =>
  `${pageId}-${keyedCheck(key, String(pageId), checkLength)}`;

/** The page that a code opens; undefined for one that we did not make. */
export const pageOfPreviewCode = (key: Buffer, code: string): number | undefined => {
  const { id = '', given = '' } = /^(?<id>[1-9]\d{0,14})-(?<given>[0-9A-Za-z]{22})$/.exec(code)?.groups ?? {};
  return id !== '' && isKeyedCheck(key, id, given) ? Number(id) : undefined;
};
