import { createHmac, timingSafeEqual } from 'node:crypto';
import { bytesInBase62 } from './base62.ts';
import { deriveKey } from './derive-key.ts';

const checkLength = 22;

const check = (key: Buffer, pageId: number) =>
  bytesInBase62(createHmac('sha256', key).update(String(pageId)).digest(), checkLength);

/** The key under which previews of landing pages are opened. */
export const pagePreviewKey = (secretsKey: Buffer) => deriveKey(secretsKey, 'page preview');

/** What the address of a page's preview ends with: only the operator can make it. */
export const pagePreviewCode = (key: Buffer, pageId: number): string => `${pageId}-${check(key, pageId)}`;

/** The page that a code opens; undefined for one that we did not make. */
export const pageOfPreviewCode = (key: Buffer, code: string): number | undefined => {
  const { id = '', given = '' } = /^(?<id>[1-9]\d{0,14})-(?<given>[0-9A-Za-z]{22})$/.exec(code)?.groups ?? {};
  if (id === '') return undefined;
  return timingSafeEqual(Buffer.from(check(key, Number(id))), Buffer.from(given)) ? Number(id) : undefined;
};
