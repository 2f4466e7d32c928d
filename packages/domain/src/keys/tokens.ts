import { randomFillSync, createHmac, type KeyObject, timingSafeEqual, hash, createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { consentScopes } from '../index.ts';
import { decrypt, encrypt, type Keys, keysFor, type SecretsKeys } from './keys.ts';

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

const blockBytes = 64;

/** A key with each byte combined with another one, as long as a block of SHA-256 (RFC 2104). */
const padded = (key: Buffer, byte: number): Buffer => {
  const pad = Buffer.alloc(blockBytes, byte);
  for (const [index, own] of key.entries()) pad[index] = own ^ byte;
  return pad;
};

const padsOf = new WeakMap<KeyObject, { readonly inner: Buffer; readonly outer: Buffer }>();

/**
 * HMAC-SHA-256 in hexadecimal. That of Node.js makes an object for each, which takes most of the time of a lead reference where one is
 * made for each request.
 */
const hmac = (key: KeyObject, text: string): string => {
  let pads = padsOf.get(key);
  if (!pads) {
    const bytes = key.export();
    pads = { inner: padded(bytes, 0x36), outer: padded(bytes, 0x5c) };
    padsOf.set(key, pads);
  }
  const inner = hash('sha256', Buffer.concat([pads.inner, Buffer.from(text)]), 'hex');
  return hash('sha256', Buffer.concat([pads.outer, Buffer.from(inner, 'hex')]), 'hex');
};

const checkUnder = (key: KeyObject, text: string, length: number): string =>
  lastBase62Digits(BigInt(`0x${hmac(key, text)}`), length);

/** Characters of `[0-9A-Za-z]` derived from the text with the first key (HMAC-SHA-256). */
export const keyedCheck = ([first]: Keys, text: string, length: number): string => checkUnder(first, text, length);

/** Whether `given` is the keyed check of the text under any of the keys. Compares in constant time. */
const isKeyedCheck = (keys: Keys, text: string, given: string): boolean =>
  keys.some((key) => timingSafeEqual(Buffer.from(checkUnder(key, text, given.length)), Buffer.from(given)));

const prefixes = { live: 'lb_live_', test: 'lb_test_' } as const;
// 34 characters have 202 bits; the visible prefix has 6 characters, which leaves 166 bits
const secretLength = 34;
const checksumLength = 6;
const apiKeyShape = /^lb_(?:live|test)_[0-9A-Za-z]{40}$/;

/** Length of the part of a key that operators may see. */
export const apiKeyPrefixLength = prefixes.live.length + 6;

const checksum = (text: string) => lastBase62Digits(BigInt(crc32(text)), checksumLength);

/** A new key: `lb_live_` or `lb_test_`, 34 random characters and a checksum, which secret scanners and the typo check use. */
export const issueApiKey = ({ isTest }: { readonly isTest: boolean }): string => {
  const text = (isTest ? prefixes.test : prefixes.live) + randomBase62(secretLength);
  return text + checksum(text);
};

/** Whether the text has the format of a key, but perhaps a typo. */
export const looksLikeApiKey = (text: string): boolean => apiKeyShape.test(text);

/** Whether the text has the format and checksum of a key. */
export const isWellFormedApiKey = (text: string): boolean =>
  looksLikeApiKey(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);

/**
 * The stored form of a key. A plain hash is enough: 202 random bits cannot be guessed. By way of text, because Node.js
 * allocates a digest in bytes outside of its pool.
 */
export const hashApiKey = (key: string): Buffer => Buffer.from(hash('sha256', key, 'hex'), 'hex');

const randomLength = 16;
const referenceCheckLength = 6;
const leadReferenceShape = /^[0-9A-Za-z]{22}$/;

const withCheck = (keys: Keys, random: string) => random + keyedCheck(keys, random, referenceCheckLength);

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
  leadReferenceShape.test(reference) &&
  isKeyedCheck(keys, reference.slice(0, randomLength), reference.slice(randomLength));

const proofLength = 22;
const proofSignatureLength = 16;
const ownLeadShape =
  /^(?<signed>(?<reference>[0-9A-Za-z]{22})\.(?<pageId>[1-9]\d{0,15})\.(?<proof>[0-9A-Za-z]{22}))\.(?<signature>[\w-]{16})$/;

/** What proves that a browser has left a lead. A lead reference goes through URLs, so it names a lead and proves nothing. */
export interface LeadProof {
  /** For the cookie alone. */
  readonly proof: string;
  /** For the lead, in hex. */
  readonly hash: string;
}

const hashed = (proof: string): LeadProof => ({ proof, hash: hash('sha256', proof) });

export const leadProofKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'lead proof');

/** 22 random characters (131 bits). */
export const newLeadProof = (): LeadProof => hashed(randomBase62(proofLength));

/** The same proof for the same seed, which must have a secret of the browser. It looks random without the key. */
export const leadProofOf = (keys: Keys, seed: string): LeadProof =>
  hashed(keyedCheck(keys, `proof ${seed}`, proofLength));

const ownLeadSchema = z
  .object({ reference: z.string(), pageId: z.coerce.number(), proof: z.string() })
  .brand<'own lead'>();

/** A lead that this browser has left: only `readOwnLead` makes one, from a cookie that landing has written. */
export type OwnLead = Readonly<z.output<typeof ownLeadSchema>>;

const signatureUnder = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url').slice(0, proofSignatureLength);

/** For the cookie of the browser that has left the lead. Signed, so that a made-up one costs no look at the database. */
export const writeOwnLead = (
  [first]: Keys,
  { reference, pageId, proof }: { readonly reference: string; readonly pageId: number; readonly proof: string },
): string => {
  const signed = `${reference}.${pageId}.${proof}`;
  return `${signed}.${signatureUnder(first, signed)}`;
};

/** Undefined for anything that landing did not write. */
export const readOwnLead = (keys: Keys, written: string): OwnLead | undefined => {
  const { signed, signature, ...lead } = ownLeadShape.exec(written)?.groups ?? {};
  if (signed === undefined || signature === undefined) return undefined;
  const isSigned = keys.some((key) =>
    timingSafeEqual(Buffer.from(signatureUnder(key, signed)), Buffer.from(signature)),
  );
  return isSigned ? ownLeadSchema.parse(lead) : undefined;
};

export const rememberedClicksKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'remembered clicks');

const ofAccount = (accountId: number): string => `account ${accountId} clicks`;

/** For the cookie of a browser that clicked: pages of other accounts cannot read it. */
export const writeRememberedClicks = (keys: Keys, accountId: number, text: string): string =>
  encrypt(keys, ofAccount(accountId), text).toString('base64url');

/** Undefined for anything that landing did not write for this account. */
export const readRememberedClicks = (keys: Keys, accountId: number, written: string): string | undefined => {
  try {
    return z.string().parse(decrypt(keys, ofAccount(accountId), Buffer.from(written, 'base64url')));
  } catch {
    return undefined;
  }
};

const previewCheckLength = 22;

export const pagePreviewKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'page preview');

const validMs = 24 * 60 * 60 * 1000;

/** The last part of a preview URL, which works for 24 hours. Only a holder of SECRETS_KEY can make it. */
export const pagePreviewCode = (keys: Keys, pageId: number, nowMs = Date.now()): string => {
  const content = `${pageId}-${Math.floor((nowMs + validMs) / 1000)}`;
  return `${content}-${keyedCheck(keys, content, previewCheckLength)}`;
};

/** The id of the page, or undefined for an invalid code and one whose time is over. */
export const pageOfPreviewCode = (keys: Keys, code: string, nowMs = Date.now()): number | undefined => {
  const shape = /^(?<content>(?<id>[1-9]\d{0,15})-(?<until>\d{10,12}))-(?<given>[0-9A-Za-z]{22})$/;
  const { content = '', id = '', until = '', given = '' } = shape.exec(code)?.groups ?? {};
  if (content === '' || !isKeyedCheck(keys, content, given)) return undefined;
  return nowMs < Number(until) * 1000 ? Number(id) : undefined;
};

const hashLength = 22;
const consentSignatureLength = 22;
const signatureShape = new RegExp(`^[0-9A-Za-z]{${consentSignatureLength}}$`);

/** What a landing page may ask visitors to agree to. */
export const askedScopes = ['nothing', ...consentScopes] as const;
export type AskedScope = (typeof askedScopes)[number];

export interface ConsentRequest {
  readonly pageId: number;
  readonly scope: AskedScope;
  /** From `hashConsentText`. */
  readonly textHash: string;
}

/** 22 characters of `[0-9A-Za-z_-]`. null: the page has no consent text. */
export const hashConsentText = (text: string | null): string =>
  createHash('sha256')
    .update(text ?? '')
    .digest('base64url')
    .slice(0, hashLength);

export const consentRequestKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'consent request');

const signedText = ({ pageId, scope, textHash }: ConsentRequest, token: string) =>
  JSON.stringify([pageId, scope, textHash, token]);

/** 22 characters of `[0-9A-Za-z]` that prove that Leadback issued the form with this token and request. */
export const signConsentRequest = (keys: Keys, request: ConsentRequest, token: string): string =>
  keyedCheck(keys, signedText(request, token), consentSignatureLength);

export const isSignedConsentRequest = (
  keys: Keys,
  request: ConsentRequest,
  { token, signature }: { readonly token: string; readonly signature: string },
): boolean => signatureShape.test(signature) && isKeyedCheck(keys, signedText(request, token), signature);

/** A browser in which somebody has signed in, as its cookie says. */
export interface KnownBrowser {
  /** Random; says nothing of the person. */
  readonly name: string;
  /** The same in all browsers of a person, and of nobody else. */
  readonly person: string;
  /** Whether it was the person with this email who signed in there. */
  readonly isOf: (email: string) => boolean;
}

const knownBrowserLength = 22;
const knownBrowserShape = /^(?<content>(?<person>[0-9A-Za-z]{22})-(?<name>[0-9A-Za-z]{22}))-(?<given>[0-9A-Za-z]{22})$/;

export const knownBrowserKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'known browser');

const textOf = (email: string) => `email ${email}`;

/** What the cookie of a new known browser says: nobody can make one for a person without having been signed in as this. */
export const writeKnownBrowser = (keys: Keys, email: string): string => {
  const content = `${keyedCheck(keys, textOf(email), knownBrowserLength)}-${randomBase62(knownBrowserLength)}`;
  return `${content}-${keyedCheck(keys, content, knownBrowserLength)}`;
};

/** Undefined unless `writeKnownBrowser` wrote it under one of the keys. */
export const readKnownBrowser = (keys: Keys, cookie: string): KnownBrowser | undefined => {
  const { content = '', person = '', name = '', given = '' } = knownBrowserShape.exec(cookie)?.groups ?? {};
  if (content === '' || !isKeyedCheck(keys, content, given)) return undefined;
  return { name, person, isOf: (email) => isKeyedCheck(keys, textOf(email), person) };
};
