import { describe, expect, it } from 'vitest';
import { endsWithImage } from './images.ts';

// one pixel each
const images: Readonly<Record<string, Buffer>> = {
  png: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
  gif: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  jpg: Buffer.from(
    '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
    'base64',
  ),
  webp: Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64'),
  avif: Buffer.concat(
    [
      ['ftyp', 'avif\0\0\0\0avifmif1'],
      ['meta', 'x'.repeat(20)],
      ['mdat', 'y'.repeat(9)],
    ].map(([name = '', content = '']) => {
      const box = Buffer.from(`    ${name}${content}`, 'latin1');
      box.writeUInt32BE(box.length, 0);
      return box;
    }),
  ),
};
const page = Buffer.from('<!doctype html><script>alert(1)</script>');
const jpeg = Buffer.concat([images['jpg'] ?? Buffer.alloc(0), Buffer.from([0xff, 0xd9])]);

describe('the end of an image', () => {
  it.each(Object.entries({ ...images, jpg: jpeg }))('is the end of the file of a %s', (type, bytes) => {
    expect(endsWithImage(type, bytes)).toBe(true);
    expect(endsWithImage(type, Buffer.concat([bytes, page]))).toBe(false);
    expect(endsWithImage(type, Buffer.concat([bytes, page, bytes.subarray(-12)]))).toBe(false);
    expect(endsWithImage(type, bytes.subarray(0, -1))).toBe(false);
    expect(endsWithImage(type, bytes.subarray(0, 20))).toBe(false);
  });

  it('is found by reading forwards, whatever a file says of itself', () => {
    for (const type of Object.keys(images)) {
      for (const fill of [0, 0xff, 0x21, 0x80]) expect(endsWithImage(type, Buffer.alloc(5_000, fill))).toBe(false);
    }
  });
});
