import { randomBase62 } from './base62.ts';
import { isKeyedCheck, keyedCheck } from './keyed-check.ts';
import { deriveKeys, type Keys } from './secrets-keys.ts';

const randomLength = 16;
const checkLength = 6;
const shape = /^[0-9A-Za-z]{22}$/;

const withCheck = (keys: Keys, random: string) => random + keyedCheck(keys, random, checkLength);

/** The keys under which lead references are issued and checked. */
export const leadReferenceKeys = (secretsKeys: Keys): Keys => deriveKeys(secretsKeys, 'lead reference');

/** A new opaque reference: 16 random characters (95 bits) and 6 of a keyed check. Tells nothing of order or time. */
export const issueLeadReference = (keys: Keys): string => withCheck(keys, randomBase62(randomLength));

/** The reference of what `seed` tells: the same for the same, and as opaque as a random one to whoever lacks the key. */
export const leadReferenceOf = (keys: Keys, seed: string): string =>
  withCheck(keys, keyedCheck(keys, `seed ${seed}`, randomLength));

/** Whether we issued this reference: tells a damaged or invented one from one that is genuine but not known here. */
export const isGenuineLeadReference = (keys: Keys, reference: string): boolean =>
  shape.test(reference) && isKeyedCheck(keys, reference.slice(0, randomLength), reference.slice(randomLength));
