import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type EntityManager, LandingImage, type LandingPage, type PageImage } from '@leadback/db';
import { webAddressSchema } from '@leadback/domain';
import { imageSize } from 'image-size';
import { OperatorError } from './operator-error.ts';

// what a phone on a bad network can bear
const bytesMax = 512 * 1024;

// no SVG: opened by itself it may run scripts
const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

const readImage = async (path: string): Promise<Buffer> => {
  try {
    return await readFile(path);
  } catch {
    throw new OperatorError(`${path}: no such file; expected one to upload, or an https address`);
  }
};

const measure = (path: string, bytes: Buffer) => {
  try {
    return imageSize(bytes);
  } catch {
    return { type: path, width: 0, height: 0 };
  }
};

/** An image for a page: at the address that was typed, or uploaded from the file that was typed. */
export const takeImage = async (
  em: EntityManager,
  account: LandingPage['account'],
  typed: string,
  alt: string,
): Promise<PageImage> => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(typed)) {
    const { success, data, error } = webAddressSchema.safeParse(typed);
    if (!success) throw new OperatorError(`${typed}: ${error.issues[0]?.message ?? 'not an address'}`);
    return { src: data, alt };
  }
  const bytes = await readImage(typed);
  const { type = '', width, height } = measure(typed, bytes);
  const mediaType = mediaTypes[type];
  if (mediaType === undefined) throw new OperatorError(`${typed}: expected an image (PNG, JPEG, GIF, WebP or AVIF)`);
  if (bytes.length > bytesMax) throw new OperatorError(`${typed}: larger than ${bytesMax / 1024} KiB; make it smaller`);
  const name = `${randomBytes(16).toString('base64url')}.${type}`;
  em.create(LandingImage, { account, name, mediaType, bytes });
  return { src: `/media/${name}`, alt, width, height };
};
