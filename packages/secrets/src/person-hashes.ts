import { emailKey, phoneKey } from '@leadback/domain';
import { type AccountKeys, lookupHash } from './account-keys.ts';

/** What a person is recognised by, as written. */
export interface PersonMarks {
  readonly emails?: readonly string[];
  readonly phoneNumbers?: readonly string[];
  readonly leadReferences?: readonly string[];
}

/** The hashes by which an erased person is recognised (`erased_key`), without duplicates. */
export const personHashes = (
  keys: AccountKeys,
  { emails = [], phoneNumbers = [], leadReferences = [] }: PersonMarks,
): string[] => [
  ...new Set([
    ...emails.map((email) => lookupHash(keys, 'email', emailKey(email))),
    ...phoneNumbers.flatMap((written) => {
      const key = phoneKey(written);
      return key === undefined ? [] : lookupHash(keys, 'phone', key);
    }),
    ...leadReferences.map((reference) => lookupHash(keys, 'lead', reference)),
  ]),
];
