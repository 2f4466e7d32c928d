import type { PlatformDescriptor } from '@leadback/platforms';
import type { z } from 'zod';
import { ActionRefused } from '@leadback/people';
import { type FieldWords, wordOf } from './field-words.ts';

type Content = Readonly<Record<string, unknown>>;
type Kinds = Pick<PlatformDescriptor, 'credentialKinds' | 'fields'>;

const isGiven = (content: Content, names: readonly string[]) =>
  names.some((name) => content[name] !== undefined && content[name] !== '');

/** `--service-account @key.json, or --client-id, --client-secret and --refresh-token` */
const eitherKind = (platform: Kinds, words: FieldWords): string => {
  const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });
  return platform.credentialKinds
    .map((names) => list.format(names.map((name) => wordOf(words, platform, name))))
    .join(', or ');
};

/** The names of one kind; undefined if there are none of any. Throws an ActionRefused if there are some of two. */
const kindOf = (platform: Kinds, words: FieldWords, content: Content): readonly string[] | undefined => {
  const [given, other] = platform.credentialKinds.filter((names) => isGiven(content, names));
  if (other !== undefined) {
    throw new ActionRefused('invalid', `give one kind of credentials: ${eitherKind(platform, words)}`);
  }
  return given;
};

/**
 * One message instead of one per missing credential; undefined if some were given, or if the platform has one kind of
 * credentials only.
 */
export const noCredentials = (platform: Kinds, words: FieldWords, content: Content): z.core.$ZodIssue | undefined => {
  const [first = [], ...others] = platform.credentialKinds;
  if (others.length === 0 || kindOf(platform, words, content) !== undefined) return undefined;
  const message = `there are no credentials; give ${eitherKind(platform, words)}`;
  return { code: 'custom', path: first.slice(0, 1), message, input: undefined };
};

/** Removes stored credentials of one kind if credentials of another kind are typed. */
export const withoutOtherKinds = (platform: Kinds, words: FieldWords, stored: Content, typed: Content): Content => {
  const kind = kindOf(platform, words, typed);
  const replaced = kind === undefined ? [] : platform.credentialKinds.flat().filter((name) => !kind.includes(name));
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !replaced.includes(name)));
};
