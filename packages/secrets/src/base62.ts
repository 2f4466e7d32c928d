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

// few divisions of the large number, each for as many digits as cost little in ordinary numbers
const digitsPerDivision = 5;
const divisor = BigInt(base ** digitsPerDivision);

/** The last `length` base-62 digits of a number; the last one first. */
export const lastBase62Digits = (number: bigint, length: number): string => {
  let left = number;
  let text = '';
  while (text.length < length) {
    let rest = Number(left % divisor);
    left /= divisor;
    for (let digits = 0; digits < digitsPerDivision; digits += 1) {
      text += alphabet.charAt(rest % base);
      rest = Math.floor(rest / base);
    }
  }
  return text.slice(0, length);
};
