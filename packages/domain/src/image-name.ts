import { randomBytes } from 'node:crypto';

/** Media types of images by extension. No SVG: it may run scripts if opened directly. */
export const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

/** A new unguessable name. Names are never reused, so images can be cached forever. */
export const newImageName = (extension: string): string => `${randomBytes(16).toString('base64url')}.${extension}`;

const shape = new RegExp(`^[\\w-]{22}\\.(${Object.keys(imageTypes).join('|')})$`);

export const isImageName = (name: string): boolean => shape.test(name);
