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

/** An uncompressed block (RFC 1951, 3.2.4). It begins and ends on a byte boundary. */
const stored = (bytes: Buffer): Buffer => {
  if (bytes.length > storedMax) throw new RangeError(`expected at most ${storedMax} bytes`);
  const block = Buffer.alloc(5 + bytes.length);
  block.writeUInt16LE(bytes.length, 1);
  block.writeUInt16LE(~bytes.length & storedMax, 3);
  bytes.copy(block, 5);
  return block;
};

/**
 * A text in pieces with a slot between each two. The pieces are compressed once; slots are inserted uncompressed, so
 * that sending costs only a checksum of the text after the first slot. A slot holds at most 65,535 bytes.
 */
export const gzipTemplate = (pieces: readonly string[]): ((slots: readonly string[]) => SendableText) => {
  const plainPieces = pieces.map((piece) => Buffer.from(piece));
  const compressed = plainPieces.map((piece, index) => {
    const isLast = index === plainPieces.length - 1;
    // a full flush ends on a byte boundary, and later data does not refer to earlier data
    return deflateRawSync(piece, { level: 9, ...(!isLast && { finishFlush: constants.Z_FULL_FLUSH }) });
  });
  const [first = Buffer.alloc(0)] = plainPieces;
  const firstChecksum = crc32(first);

  return (slots) => ({
    plain: () => pieces.map((piece, index) => piece + (slots[index] ?? '')).join(''),
    gzipped() {
      const filled = slots.map((slot) => Buffer.from(slot));
      const parts: Buffer[] = [header];
      let checksum = firstChecksum;
      let length = 0;
      for (const [index, piece] of plainPieces.entries()) {
        if (index > 0) checksum = crc32(piece, checksum);
        length += piece.length;
        parts.push(compressed[index] ?? Buffer.alloc(0));
        const slot = filled[index];
        if (!slot) continue;
        checksum = crc32(slot, checksum);
        length += slot.length;
        parts.push(stored(slot));
      }
      const trailer = Buffer.alloc(trailerBytes);
      trailer.writeUInt32LE(checksum, 0);
      trailer.writeUInt32LE(length, 4);
      return Buffer.concat([...parts, trailer]);
    },
  });
};
