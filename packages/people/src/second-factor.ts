import { decrypt, keysFor, encrypt, type Keys, type SecretsKeys } from '@leadback/secrets';
import { Secret, TOTP } from 'otpauth';
import { z } from 'zod';

const periodSeconds = 30;
// as RFC 6238 advises: a clock may be one step off
const stepsOff = 1;
const secretBytes = 20;

export const secondFactorKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'second factor');

const ofPerson = (personId: number) => `person ${personId}`;

const totpOf = (secret: Secret, email = '') =>
  new TOTP({ issuer: 'Leadback', label: email, secret, digits: 6, period: periodSeconds, algorithm: 'SHA1' });

/** What an authenticator app needs. */
export interface NewSecondFactor {
  /** In base32. */
  readonly secret: string;
  readonly url: string;
  readonly encrypted: Buffer;
}

export const newSecondFactor = (
  keys: Keys,
  person: { readonly id: number; readonly email: string },
): NewSecondFactor => {
  const secret = new Secret({ size: secretBytes });
  const url = totpOf(secret, person.email).toString();
  return { secret: secret.base32, url, encrypted: encrypt(keys, ofPerson(person.id), secret.base32) };
};

const decrypted = (keys: Keys, personId: number, encrypted: Uint8Array): unknown => {
  try {
    return decrypt(keys, ofPerson(personId), Buffer.from(encrypted));
  } catch {
    return undefined;
  }
};

/** Encrypted with the first key: the same if it was before. Undefined if no key decrypts it. */
export const reEncryptSecondFactor = (keys: Keys, personId: number, encrypted: Uint8Array): Uint8Array | undefined => {
  const [first] = keys;
  if (decrypted([first], personId, encrypted) !== undefined) return encrypted;
  const secret = decrypted(keys, personId, encrypted);
  return secret === undefined ? undefined : encrypt(keys, ofPerson(personId), secret);
};

/** The time step of a code that is right now; undefined for any other. */
export const stepOfCode = (
  keys: Keys,
  personId: number,
  {
    encrypted,
    code,
    nowMs = Date.now(),
  }: { readonly encrypted: Uint8Array; readonly code: string; readonly nowMs?: number },
): number | undefined => {
  const secret = Secret.fromBase32(z.string().parse(decrypt(keys, ofPerson(personId), Buffer.from(encrypted))));
  const off = totpOf(secret).validate({ token: code, timestamp: nowMs, window: stepsOff });
  return off === null ? undefined : Math.floor(nowMs / 1000 / periodSeconds) + off;
};
