import { createHmac, timingSafeEqual } from 'node:crypto';
import { bytesInBase62, randomBase62 } from './base62.ts';
import { deriveKey } from './derive-key.ts';

const randomLength = 16;
const checkLength = 6;
const shape = /^[0-9A-Za-z]{22}$/;

const check = (key: Buffer, random: string) =>
  bytesInBase62(createHmac('sha256', key).update(random).digest(), checkLength);

/** The key under which lead references are issued and checked. */
export const leadReferenceKey = (secretsKey: Buffer) => deriveKey(secretsKey, 'lead reference');

/** A new opaque reference: 16 random characters (95 bits) and 6 of a keyed check. Tells nothing of order or time. */
export const issueLeadReference = (key: Buffer): string => {
  const random = randomBase62(randomLength);
  return random + check(key, random);
};

/** The reference of what `seed` tells: the same for the same, and as opaque as a random one to whoever lacks the key. */
export const leadReferenceOf = (key: Buffer, seed: string): string => {
  const random = bytesInBase62(createHmac('sha256', key).update(`seed ${seed}`).digest(), randomLength);
  return random + check(key, random);
};

/** Whether we issued this reference: tells a damaged or invented one from one that is genuine but not known here. */
export const isGenuineLeadReference = (key: Buffer, reference: string): boolean => {
  if (!shape.test(reference)) return false;
  const expected = check(key, reference.slice(0, randomLength));
  return timingSafeEqual(Buffer.from(expected), Buffer.from(reference.slice(randomLength)));
};
