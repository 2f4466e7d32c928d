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
 * A text in pieces with a slot between each two. The pieces are compressed once; slots are inserted uncompressed, so
 * that sending costs only a checksum of the text after the first slot. A slot holds at most 65,535 bytes.
 */
export const gzipTemplate = (pieces: readonly string[]): ((slots: readonly string[]) => SendableText) => {
  const [first, ...others] = pieces.map((text, index) => compressPiece(text, index === pieces.length - 1));
  if (!first) throw new RangeError('expected at least one piece');
  const start = Buffer.concat([header, first.compressed]);
  const firstChecksum = crc32(first.plain);
  const fixedBytes = others.reduce((sum, { compressed }) => sum + storedHeaderBytes + compressed.length, start.length);

  const fill = (slots: readonly string[]): Buffer => {
    const bytes = slots.reduce((sum, slot) => sum + Buffer.byteLength(slot), fixedBytes + trailerBytes);
    const target = Buffer.allocUnsafe(bytes);
    let at = start.copy(target);
    let checksum = firstChecksum;
    let length = first.plain.length;
    for (const [index, { plain, compressed }] of others.entries()) {
      const slotAt = at + storedHeaderBytes;
      const slotBytes = target.write(slots[index] ?? '', slotAt);
      writeStoredHeader(target, at, slotBytes);
      at = slotAt + slotBytes;
      checksum = crc32(plain, crc32(target.subarray(slotAt, at), checksum));
      length += slotBytes + plain.length;
      at += compressed.copy(target, at);
    }
    target.writeUInt32LE(checksum, at);
    target.writeUInt32LE(length, at + 4);
    return target;
  };
  return (slots) => {
    if (slots.length !== others.length) throw new RangeError(`number of slots: expected ${others.length}`);
    return {
      plain: () => pieces.map((piece, index) => piece + (slots[index] ?? '')).join(''),
      gzipped: () => fill(slots),
    };
  };
};
