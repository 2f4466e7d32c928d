import { randomBase62 } from './base62.ts';
import { deriveKey } from './derive-key.ts';
import { isKeyedCheck, keyedCheck } from './keyed-check.ts';

const randomLength = 16;
const checkLength = 6;
const shape = /^[0-9A-Za-z]{22}$/;

const withCheck = (key: Buffer, random: string) => random + keyedCheck(key, random, checkLength);

/** The key under which lead references are issued and checked. */
export const leadReferenceKey = (secretsKey: Buffer) => deriveKey(secretsKey, 'lead reference');

/** A new opaque reference: 16 random characters (95 bits) and 6 of a keyed check. Tells nothing of order or time. */
export const issueLeadReference = (key: Buffer): string => withCheck(key, randomBase62(randomLength));

/** The reference of what `seed` tells: the same for the same, and as opaque as a random one to whoever lacks the key. */
export const leadReferenceOf = (key: Buffer, seed: string): string =>
  withCheck(key, keyedCheck(key, `seed ${seed}`, randomLength));

/** Whether we issued this reference: tells a damaged or invented one from one that is genuine but not known here. */
export const isGenuineLeadReference = (key: Buffer, reference: string): boolean =>
  shape.test(reference) && isKeyedCheck(key, reference.slice(0, randomLength), reference.slice(randomLength));
