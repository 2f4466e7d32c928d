import { type EntityManager, LandingImage, transaction } from '@leadback/db';
import { type AccountId, imageTypes, newImageName } from '@leadback/domain';
import { ActionRefused } from '../people/access.ts';
import { audit } from '../audit.ts';
import { imageSize } from 'image-size';

type End = number | undefined;

const endOfPng = (bytes: Buffer): End => {
  for (let at = 8; at + 12 <= bytes.length; ) {
    const name = bytes.toString('latin1', at + 4, at + 8);
    at += 12 + bytes.readUInt32BE(at);
    if (name === 'IEND') return at;
  }
  return undefined;
};

const endOfJpeg = (bytes: Buffer): End => {
  for (let at = 2; at + 2 <= bytes.length; ) {
    // what is compressed goes on until a marker that is none of its own
    if (bytes[at] !== 0xff) at += 1;
    else {
      const marker = bytes[at + 1] ?? 0;
      if (marker === 0xd9) return at + 2;
      const hasLength = marker !== 0 && marker !== 0xff && marker !== 1 && !(marker >= 0xd0 && marker <= 0xd7);
      if (hasLength && at + 4 > bytes.length) return undefined;
      at += marker === 0xff ? 1 : hasLength ? 2 + bytes.readUInt16BE(at + 2) : 2;
    }
  }
  return undefined;
};

/** GIF: the size of a table of colours that a byte of flags announces. */
const colours = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

const endOfGif = (bytes: Buffer): End => {
  let at = 13 + colours(bytes[10] ?? 0);
  while (at < bytes.length) {
    const block = bytes[at];
    if (block === 0x3b) return at + 1;
    if (block === 0x21) at += 2;
    else if (block === 0x2c) at += 11 + colours(bytes[at + 9] ?? 0);
    else return undefined;
    for (let size = bytes[at] ?? 0; size > 0; size = bytes[at] ?? 0) at += 1 + size;
    at += 1;
  }
  return undefined;
};

const endOfWebp = (bytes: Buffer): End => {
  const size = bytes.readUInt32LE(4);
  return 8 + size + (size % 2);
};

// the boxes that a picture has at the top, in which nothing else can stand behind it
const avifBoxes = ['ftyp', 'meta', 'mdat', 'moov', 'idat'];

const endOfAvif = (bytes: Buffer): End => {
  let at = 0;
  while (at + 8 <= bytes.length && avifBoxes.includes(bytes.toString('latin1', at + 4, at + 8))) {
    const size = bytes.readUInt32BE(at);
    if (size < 8) return undefined;
    at += size;
  }
  return at;
};

const ends: Readonly<Record<string, (bytes: Buffer) => End>> = {
  png: endOfPng,
  jpg: endOfJpeg,
  gif: endOfGif,
  webp: endOfWebp,
  avif: endOfAvif,
};

/**
 * Whether the picture of this type ends where its file ends. Behind it could be a page or a program, which something
 * that does not heed the type would run.
 */
export const endsWithImage = (type: string, bytes: Buffer): boolean => ends[type]?.(bytes) === bytes.length;

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

interface StoredImage {
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
  transaction(em, async (tx) => {
    const image = storeImage(tx, accountId, bytes);
    await audit(tx, { actor, action: 'image.upload', accountId, target: image.src, details: { bytes: bytes.length } });
    return image;
  });
