import { readFile, stat } from 'node:fs/promises';
import { type EntityManager, LandingImage, type LandingPage, type PageImage } from '@leadback/db';
import { imageTypes, newImageName, webAddressSchema } from '@leadback/domain';
import { imageSize } from 'image-size';
import { OperatorError } from './operator-error.ts';

// larger images are too slow on mobile networks
const bytesMax = 512 * 1024;

const readImage = async (path: string): Promise<Buffer> => {
  const { size } = await stat(path).catch(() => {
    throw new OperatorError(`${path}: no such file; expected a file to upload or an https URL`);
  });
  if (size > bytesMax) throw new OperatorError(`${path}: larger than ${bytesMax / 1024} KiB; make it smaller`);
  try {
    return await readFile(path);
  } catch {
    throw new OperatorError(`${path}: cannot be read; check its permissions`);
  }
};

/** Type and displayed size: the EXIF orientation may swap width and height. */
const measure = (bytes: Buffer) => {
  try {
    const { type = '', width, height, orientation = 1 } = imageSize(bytes);
    return orientation >= 5 ? { type, width: height, height: width } : { type, width, height };
  } catch {
    return { type: '', width: 0, height: 0 };
  }
};

/** `typed` is a URL, or the path of a file that is uploaded. */
export const takeImage = async (
  em: EntityManager,
  account: LandingPage['account'],
  typed: string,
  alt: string,
): Promise<PageImage> => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(typed)) {
    const { success, data, error } = webAddressSchema.safeParse(typed);
    if (!success) throw new OperatorError(`${typed}: ${error.issues[0]?.message ?? 'not a URL'}`);
    return { src: data, alt };
  }
  const bytes = await readImage(typed);
  const { type, width, height } = measure(bytes);
  const mediaType = imageTypes[type];
  if (mediaType === undefined) throw new OperatorError(`${typed}: expected an image (PNG, JPEG, GIF, WebP or AVIF)`);
  const name = newImageName(type);
  em.create(LandingImage, { account, name, mediaType, bytes });
  return { src: `/media/${name}`, alt, width, height };
};
