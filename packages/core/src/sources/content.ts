import { isUtf8 } from 'node:buffer';
import {
  type AccountKeys,
  decryptSourceContent,
  encryptSourceContent,
  type Keys,
  personHashes,
  type SourceContentOwner,
} from '@leadback/domain/keys';
import { z } from 'zod';
import type { ReceivedRequest } from './kind.ts';
import { personMarksIn } from './reference-finder.ts';

const storedSchema = z.object({
  method: z.enum(['GET', 'POST']),
  headers: z.record(z.string(), z.string()),
  query: z.string(),
  /** In UTF-8, or else in base64. */
  text: z.string().optional(),
  base64: z.string().optional(),
  part: z.number().optional(),
});

/** Encrypts a request with those of its headers that are read again. */
export const encryptRequest = (
  keys: AccountKeys,
  event: SourceContentOwner,
  { method, headers, query, body, part }: ReceivedRequest,
  kept: readonly string[],
): Buffer => {
  const named = ['content-type', ...kept].flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const content = isUtf8(body) ? { text: body.toString() } : { base64: body.toString('base64') };
  const stored = { method, headers: Object.fromEntries(named), query, ...content, ...(part !== undefined && { part }) };
  return encryptSourceContent(keys, event, stored satisfies z.input<typeof storedSchema>);
};

/** Throws if it is of another event or account. */
export const decryptRequest = (
  keys: AccountKeys,
  event: SourceContentOwner,
  encrypted: Uint8Array,
): ReceivedRequest => {
  const { text, base64 = '', ...request } = storedSchema.parse(decryptSourceContent(keys, event, encrypted));
  return { ...request, body: text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text) };
};

export const encryptFetched = (keys: AccountKeys, event: SourceContentOwner, body: string): Buffer =>
  encryptSourceContent(keys, { ...event, key: `${event.key} fetched` }, body);

export const decryptFetched = (keys: AccountKeys, event: SourceContentOwner, encrypted: Uint8Array): string =>
  z.string().parse(decryptSourceContent(keys, { ...event, key: `${event.key} fetched` }, encrypted));

/** By which an erasure finds a content. Null: it names nobody. */
export const hashesOfPersons = (keys: AccountKeys, referenceKeys: Keys, searched: unknown): string[] | null => {
  const hashes = personHashes(keys, personMarksIn(referenceKeys, searched));
  return hashes.length === 0 ? null : hashes;
};
