import type { Keys } from '@leadback/domain';
import type { EntityManager } from '../database.ts';
import {
  type CredentialsOwner,
  encryptCredentials,
  encryptingKey,
  decryptCredentials,
} from '../encrypted-credentials.ts';
import { allStoredCredentials, readStoredCredentials, type StoredCredentials } from './stored-credentials.ts';

/** What came of sealing credentials anew. */
export interface ReEncryption {
  /** How many were sealed under the first key now. */
  readonly resealed: number;
  /** How many had been already. */
  readonly kept: number;
  /** Those that open under none of the keys; they are left as they are. */
  readonly unopened: readonly CredentialsOwner[];
}

// Only over what was read: somebody may have changed the connection meanwhile, and what they gave must stay.
const write = async (em: EntityManager, { id, sealed }: StoredCredentials, resealed: Buffer): Promise<boolean> => {
  const { affectedRows } = await em.execute<{ affectedRows: number }>(
    `update platform_connection set credentials = decode(?, 'hex') where id = ? and credentials = decode(?, 'hex')`,
    [resealed.toString('hex'), id, sealed.toString('hex')],
    'run',
  );
  return affectedRows === 1;
};

const reseal = async (em: EntityManager, keys: Keys, stored: StoredCredentials): Promise<keyof ReEncryption> => {
  const under = encryptingKey(keys, stored, stored.sealed);
  if (under === 'first') return 'kept';
  if (under === 'none') return 'unopened';
  const resealed = encryptCredentials(keys, stored, decryptCredentials(keys, stored, stored.sealed));
  if (await write(em, stored, resealed)) return 'resealed';
  const changed = await readStoredCredentials(em, stored.id);
  return changed ? reseal(em, keys, changed) : 'kept';
};

/**
 * Seals the credentials of every connection anew under the first of the keys, one by one, while everything runs. Where it
 * was cut off, a second call does the rest. `onDone` hears after each how many are done.
 */
export const reEncryptCredentials = async (
  em: EntityManager,
  keys: Keys,
  onDone: (connections: number) => void = () => {},
): Promise<ReEncryption> => {
  const counts = { resealed: 0, kept: 0 };
  const unopened: CredentialsOwner[] = [];
  for await (const stored of allStoredCredentials(em)) {
    const came = await reseal(em, keys, stored);
    if (came === 'unopened') unopened.push(stored);
    else counts[came] += 1;
    onDone(counts.resealed + counts.kept + unopened.length);
  }
  return { ...counts, unopened };
};
