import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** A text to send, plain or compressed. */
export interface SendableText {
  plain(): string;
  gzipped(): Buffer;
}

/** A text that is compressed when it is sent. */
export const wholeText = (text: string): SendableText => ({ plain: () => text, gzipped: () => gzipSync(text) });

// RFC 1952: magic, deflate, no flags, no time, unspecified compression level, unspecified system
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const trailerBytes = 8;
const storedMax = 0xffff;
const storedHeaderBytes = 5;

/** Writes the header of an uncompressed block (RFC 1951, 3.2.4). It begins on a byte boundary. */
const writeStoredHeader = (target: Buffer, at: number, bytes: number): void => {
  if (bytes > storedMax) throw new RangeError(`expected at most ${storedMax} bytes`);
  target.writeUInt8(0, at);
  target.writeUInt16LE(bytes, at + 1);
  target.writeUInt16LE(~bytes & storedMax, at + 3);
};

/** A piece of a text and the bytes that represent it in the compressed text. */
interface Piece {
  readonly plain: Buffer;
  readonly compressed: Buffer;
}

const compressPiece = (text: string, isLast: boolean): Piece => {
  const plain = Buffer.from(text);
  // a full flush ends on a byte boundary, and later data does not refer to earlier data
  const flush = isLast ? {} : { finishFlush: constants.Z_FULL_FLUSH };
  return { plain, compressed: deflateRawSync(plain, { level: 9, ...flush }) };
};

/**
 * A text with a slot between `before` and `after`, which are compressed once. The slot is inserted uncompressed, so that
 * sending costs only a checksum of the text after `before`. The slot holds at most 65,535 bytes.
 */
export const gzipTemplate = (before: string, after: string): ((slot: string) => SendableText) => {
  const [first, last] = [compressPiece(before, false), compressPiece(after, true)];
  const start = Buffer.concat([header, first.compressed]);
  const firstChecksum = crc32(first.plain);

  const fill = (slot: string): Buffer => {
    const slotBytes = Buffer.byteLength(slot);
    const slotAt = start.length + storedHeaderBytes;
    const end = slotAt + slotBytes + last.compressed.length;
    const target = Buffer.allocUnsafe(end + trailerBytes);
    start.copy(target);
    writeStoredHeader(target, start.length, slotBytes);
    target.write(slot, slotAt);
    last.compressed.copy(target, slotAt + slotBytes);
    target.writeUInt32LE(crc32(last.plain, crc32(slot, firstChecksum)), end);
    target.writeUInt32LE(first.plain.length + slotBytes + last.plain.length, end + 4);
    return target;
  };
  return (slot) => ({ plain: () => before + slot + after, gzipped: () => fill(slot) });
};
