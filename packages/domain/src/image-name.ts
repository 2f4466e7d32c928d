import { randomBytes } from 'node:crypto';

/** The images that a page may have. No SVG: opened by itself it may run scripts. */
export const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

/** A new name for an uploaded image: nobody can guess it, and it is never used again. */
export const newImageName = (extension: string): string => `${randomBytes(16).toString('base64url')}.${extension}`;

const shape = new RegExp(`^[\\w-]{22}\\.(${Object.keys(imageTypes).join('|')})$`);

/** Whether this could be the name of an uploaded image. */
export const isImageName = (name: string): boolean => shape.test(name);
