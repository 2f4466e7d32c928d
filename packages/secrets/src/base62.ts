import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = alphabet.length;
// larger bytes would make the first digits more likely
const fairBelow = 256 - (256 % base);

// a call of the random generator costs as much as the rest of a reference: one call for many of them
const pool = Buffer.alloc(4_096);
let used = pool.length;

/** Clears each byte after use. */
const randomByte = (): number => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool.readUInt8(used);
  pool.writeUInt8(0, used);
  used += 1;
  return byte;
};

/** `length` random characters of `[0-9A-Za-z]`, each equally likely. */
export const randomBase62 = (length: number): string => {
  let text = '';
  while (text.length < length) {
    const byte = randomByte();
    if (byte < fairBelow) text += alphabet.charAt(byte % base);
  }
  return text;
};

// a remainder of this divisor and one more limb have 46 bits together, which a number holds exactly
const digitsPerDivision = 5;
const divisor = base ** digitsPerDivision;
const limb = 2 ** 16;

/** Divides a number, given in limbs of 16 bits with the highest first, in place. Returns the remainder. */
const divide = (limbs: number[]): number => {
  let remainder = 0;
  for (const [index, low] of limbs.entries()) {
    const part = remainder * limb + low;
    limbs[index] = Math.floor(part / divisor);
    remainder = part % divisor;
  }
  return remainder;
};

/** The last `length` base-62 digits of the bytes, read as a number; the last one first. The number of bytes must be even. */
export const bytesInBase62 = (bytes: Buffer, length: number): string => {
  const limbs: number[] = [];
  for (let at = 0; at < bytes.length; at += 2) limbs.push(bytes.readUInt16BE(at));
  let text = '';
  while (text.length < length) {
    let rest = divide(limbs);
    for (let digits = 0; digits < digitsPerDivision; digits += 1) {
      text += alphabet.charAt(rest % base);
      rest = Math.floor(rest / base);
    }
  }
  return text.slice(0, length);
};
