import { randomBase62 } from './base62.ts';
import { isKeyedCheck, keyedCheck } from './keyed-check.ts';
import { keysFor, type Keys, type SecretsKeys } from './secrets-keys.ts';

const randomLength = 16;
const checkLength = 6;
const shape = /^[0-9A-Za-z]{22}$/;

const withCheck = (keys: Keys, random: string) => random + keyedCheck(keys, random, checkLength);

export const leadReferenceKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'lead reference');

/** A new reference: 16 random characters (95 bits) and 6 of a keyed check. It shows no order or time. */
export const issueLeadReference = (keys: Keys): string => withCheck(keys, randomBase62(randomLength));

/** The same reference for the same seed. It looks random without the key. */
export const leadReferenceOf = (keys: Keys, seed: string): string =>
  withCheck(keys, keyedCheck(keys, `seed ${seed}`, randomLength));

/**
 * Whether Leadback issued this reference: distinguishes a damaged or invented reference from a genuine one without a
 * lead.
 */
export const isGenuineLeadReference = (keys: Keys, reference: string): boolean =>
  shape.test(reference) && isKeyedCheck(keys, reference.slice(0, randomLength), reference.slice(randomLength));
