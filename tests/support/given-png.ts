import { crc32, deflateSync } from 'node:zlib';

type Color = readonly [red: number, green: number, blue: number];

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const chunk = (type: string, data: Buffer): Buffer => {
  const checked = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([uint32(data.length), checked, uint32(crc32(checked))]);
};

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const [bitsPerSample, rgb] = [8, 2];

/**
 * A picture that changes from one color to the other, from left to right. Made without a browser, which on a busy
 * machine may be unable to take a screenshot.
 */
export const givenPng = (width: number, height: number, from: Color, to: Color): Buffer => {
  const mix = (column: number): number[] =>
    from.map((part, index) => Math.round(part + ((to[index] ?? part) - part) * (column / width)));
  const unfiltered = 0;
  const row = Buffer.from([unfiltered, ...Array.from({ length: width }, (_, column) => mix(column)).flat()]);
  const pixels = Buffer.concat(Array.from({ length: height }, () => row));
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([bitsPerSample, rgb, 0, 0, 0])]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
