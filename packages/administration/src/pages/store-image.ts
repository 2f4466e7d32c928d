import { type EntityManager, LandingImage } from '@leadback/db';
import { type AccountId, imageTypes, newImageName } from '@leadback/domain';
import { ActionRefused, audit } from '@leadback/people';
import { imageSize } from 'image-size';
import { endsWithImage } from './image-end.ts';

/** Larger images are too slow on mobile networks. */
export const imageBytesMax = 512 * 1024;

// what a browser unpacks: a file of some bytes may claim gigabytes
const sideMax = 8_000;
const pixelsMax = 20_000_000;

/** Type and displayed size: the EXIF orientation may swap width and height. */
const measure = (bytes: Uint8Array) => {
  try {
    const { type = '', width, height, orientation = 1 } = imageSize(bytes);
    return orientation >= 5 ? { type, width: height, height: width } : { type, width, height };
  } catch {
    return { type: '', width: 0, height: 0 };
  }
};

export interface StoredImage {
  /** `/media/…` of the landing app. */
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

/** Stores an image for the pages of an account. Its type is that of its bytes, whatever its name says. */
export const storeImage = (em: EntityManager, accountId: AccountId, bytes: Buffer): StoredImage => {
  if (bytes.length > imageBytesMax) {
    throw new ActionRefused('invalid', `larger than ${imageBytesMax / 1024} KiB; make it smaller`);
  }
  const { type, width, height } = measure(bytes);
  const mediaType = imageTypes[type];
  if (mediaType === undefined) {
    throw new ActionRefused('invalid', 'expected an image (PNG, JPEG, GIF, WebP or AVIF)');
  }
  if (width > sideMax || height > sideMax || width * height > pixelsMax) {
    throw new ActionRefused(
      'invalid',
      `larger than ${sideMax} pixels a side or ${pixelsMax / 1_000_000} megapixels; make it smaller`,
    );
  }
  if (!endsWithImage(type, bytes)) {
    throw new ActionRefused('invalid', 'the file is cut off or has data behind the image; save it again as an image');
  }
  const name = newImageName(type);
  em.create(LandingImage, { account: accountId, name, mediaType, bytes });
  return { src: `/media/${name}`, width, height };
};

interface Upload {
  readonly actor: string;
  readonly accountId: AccountId;
  readonly bytes: Buffer;
}

/** Stores an image that a page may use later. */
export const uploadImage = (em: EntityManager, { actor, accountId, bytes }: Upload): Promise<StoredImage> =>
  em.transactional(async (tx) => {
    const image = storeImage(tx, accountId, bytes);
    await audit(tx, { actor, action: 'image.upload', accountId, target: image.src, details: { bytes: bytes.length } });
    return image;
  });
