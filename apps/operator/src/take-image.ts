import { readFile, stat } from 'node:fs/promises';
import { imageBytesMax, storeImage } from '@leadback/administration';
import type { EntityManager } from '@leadback/db';
import { type AccountId, type PageImage, webAddressSchema } from '@leadback/domain';
import { OperatorError } from './operator-error.ts';

const readImage = async (path: string): Promise<Buffer> => {
  const { size } = await stat(path).catch(() => {
    throw new OperatorError(`${path}: no such file; expected a file to upload or an https URL`);
  });
  if (size > imageBytesMax)
    throw new OperatorError(`${path}: larger than ${imageBytesMax / 1024} KiB; make it smaller`);
  try {
    return await readFile(path);
  } catch {
    throw new OperatorError(`${path}: cannot be read; check its permissions`);
  }
};

/** `typed` is a URL, or the path of a file that is uploaded. */
export const takeImage = async (
  em: EntityManager,
  accountId: AccountId,
  typed: string,
  alt: string,
): Promise<PageImage> => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(typed)) {
    const { success, data, error } = webAddressSchema.safeParse(typed);
    if (!success) throw new OperatorError(`${typed}: ${error.issues[0]?.message ?? 'not a URL'}`);
    return { src: data, alt };
  }
  const { src, ...size } = storeImage(em, accountId, await readImage(typed));
  return { src, alt, ...size };
};
