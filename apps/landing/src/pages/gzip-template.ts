import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** A text that is ready to be sent, as it is or compressed. */
export interface SendableText {
  plain(): string;
  gzipped(): Buffer;
}

/** A text that is sent once. */
export const wholeText = (text: string): SendableText => ({ plain: () => text, gzipped: () => gzipSync(text) });

// RFC 1952: magic, deflate, no flags, no time, fastest or best unsaid, system unsaid
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const trailerBytes = 8;
const storedMax = 0xffff;

/** A block that carries bytes as they are (RFC 1951, 3.2.4). It begins and ends at a byte. */
const stored = (bytes: Buffer): Buffer => {
  if (bytes.length > storedMax) throw new RangeError(`expected at most ${storedMax} bytes`);
  const block = Buffer.alloc(5 + bytes.length);
  block.writeUInt16LE(bytes.length, 1);
  block.writeUInt16LE(~bytes.length & storedMax, 3);
  bytes.copy(block, 5);
  return block;
};

/**
 * A text in pieces with a slot between each two. The pieces are compressed once and for all; what is put into the slots
 * goes between them uncompressed, so that a visitor costs no more than a checksum of what follows the first slot.
 */
export const gzipTemplate = (pieces: readonly string[]): ((slots: readonly string[]) => SendableText) => {
  const plainPieces = pieces.map((piece) => Buffer.from(piece));
  const compressed = plainPieces.map((piece, index) => {
    const isLast = index === plainPieces.length - 1;
    // a flush ends at a byte, and lets nothing that follows refer to what came before
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
