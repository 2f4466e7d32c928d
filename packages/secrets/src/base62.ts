import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// larger bytes would make the first digits more likely
const fairBelow = 256 - (256 % alphabet.length);

const digit = (value: number) => alphabet.charAt(value % alphabet.length);

/** `length` random characters of `[0-9A-Za-z]`, each equally likely. */
export const randomBase62 = (length: number): string => {
  let text = '';
  while (text.length < length) {
    const fair = randomBytes(length).filter((byte) => byte < fairBelow);
    text += Array.from(fair, digit).join('');
  }
  return text.slice(0, length);
};

/** The last `length` base-62 digits of the bytes, read as a number. */
export const bytesInBase62 = (bytes: Buffer, length: number): string => {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  const base = BigInt(alphabet.length);
  return Array.from({ length }, () => {
    const last = digit(Number(rest % base));
    rest /= base;
    return last;
  }).join('');
};
