import { randomBase62 } from './base62.ts';
import { isKeyedCheck, keyedCheck } from './keyed-check.ts';
import { keysFor, type Keys, type SecretsKeys } from './secrets-keys.ts';

/** A browser in which somebody has signed in, as its cookie says. */
export interface KnownBrowser {
  /** Random; says nothing of the person. */
  readonly name: string;
  /** Whether it was the person with this email who signed in there. */
  readonly isOf: (email: string) => boolean;
}

const length = 22;
const shape = /^(?<content>(?<person>[0-9A-Za-z]{22})-(?<name>[0-9A-Za-z]{22}))-(?<given>[0-9A-Za-z]{22})$/;

export const knownBrowserKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'known browser');

const textOf = (email: string) => `email ${email}`;

/** What the cookie of a new known browser says: nobody can make one for a person without having been signed in as this. */
export const writeKnownBrowser = (keys: Keys, email: string): string => {
  const content = `${keyedCheck(keys, textOf(email), length)}-${randomBase62(length)}`;
  return `${content}-${keyedCheck(keys, content, length)}`;
};

/** Undefined unless `writeKnownBrowser` wrote it under one of the keys. */
export const readKnownBrowser = (keys: Keys, cookie: string): KnownBrowser | undefined => {
  const { content = '', person = '', name = '', given = '' } = shape.exec(cookie)?.groups ?? {};
  if (content === '' || !isKeyedCheck(keys, content, given)) return undefined;
  return { name, isOf: (email) => isKeyedCheck(keys, textOf(email), person) };
};
