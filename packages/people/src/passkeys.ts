import { LockMode } from '@mikro-orm/core';
import { type EntityManager, Passkey, Person, type Pool, preparedStatement } from '@leadback/db';
import { ActionRefused } from './action-refused.ts';
import { audit } from './audit.ts';
import type { Session } from './sessions.ts';

const passkeysMax = 20;

type Owner = Session['person'];

/** The public part of a passkey. */
export interface NewPasskey {
  readonly credentialId: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
}

/** What the owner sees. */
export type PasskeyFacts = Pick<Passkey, 'id' | 'name' | 'createdAt' | 'usedAt'>;

export const listPasskeys = (em: EntityManager, owner: Owner): Promise<Passkey[]> =>
  em.find(Passkey, { person: owner.id }, { orderBy: { id: 'asc' }, limit: passkeysMax });

const any = preparedStatement('find-passkey-of-person', 'select 1 from passkey where person_id = $1 limit 1');

export const hasPasskey = async (pool: Pool, { id }: Owner): Promise<boolean> => (await any(pool, [id])).length === 1;

export const addPasskey = (em: EntityManager, owner: Owner, given: NewPasskey): Promise<Passkey> =>
  em.transactional(async (tx) => {
    // one after the other, so that the count is right
    const person = await tx.findOneOrFail(Person, owner.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if ((await tx.count(Passkey, { person })) >= passkeysMax)
      throw new ActionRefused('conflict', `you have ${passkeysMax} passkeys; remove one that you do not use`);
    const credentialId = Buffer.from(given.credentialId);
    if (await tx.findOne(Passkey, { credentialId }))
      throw new ActionRefused('conflict', 'this passkey was added before');
    const publicKey = Buffer.from(given.publicKey);
    const passkey = tx.create(Passkey, { ...given, person, credentialId, publicKey });
    await tx.flush();
    const { id, name } = passkey;
    await audit(tx, { actor: owner.email, action: 'passkey.add', target: `passkey ${id}`, details: { name } });
    return passkey;
  });

const findOwn = async (tx: EntityManager, owner: Owner, id: number): Promise<Passkey> => {
  const passkey = await tx.findOne(Passkey, { id, person: owner.id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!passkey) throw new ActionRefused('not-found', 'you have no such passkey; it may be removed already');
  return passkey;
};

export const renamePasskey = (em: EntityManager, owner: Owner, id: number, name: string): Promise<void> =>
  em.transactional(async (tx) => {
    const passkey = await findOwn(tx, owner, id);
    const details = { name: { before: passkey.name, after: name } };
    passkey.name = name;
    await audit(tx, { actor: owner.email, action: 'passkey.rename', target: `passkey ${id}`, details });
  });

export const removePasskey = (em: EntityManager, owner: Owner, id: number): Promise<void> =>
  em.transactional(async (tx) => {
    const passkey = await findOwn(tx, owner, id);
    tx.remove(passkey);
    const details = { name: passkey.name };
    await audit(tx, { actor: owner.email, action: 'passkey.remove', target: `passkey ${id}`, details });
  });
