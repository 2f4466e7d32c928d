import type { AccountId, ErasureAsker, ErasureState } from '@leadback/domain';
import { preparedStatement, type Queryable } from '@leadback/db';

/** An erasure and its receipt, without whom it is about. */
export interface AskedErasure {
  readonly id: string;
  readonly accountId: AccountId;
  readonly askedBy: ErasureAsker;
  readonly isTest: boolean;
  readonly state: ErasureState;
  readonly requestedAt: Date;
  readonly finishedAt: Date | null;
  /** The JSON that was signed, to the byte. This and the next two are null until it is done. */
  readonly receipt: string | null;
  /** In base64. */
  readonly signature: string | null;
  readonly keyId: string | null;
}

const read = preparedStatement<AskedErasure>(
  'read-erasure',
  `select id, account_id as "accountId", asked_by as "askedBy", is_test as "isTest", state,
          requested_at as "requestedAt", finished_at as "finishedAt", receipt, signature, key_id as "keyId"
   from erasure where id = $1`,
);

export const readErasure = async (on: Queryable, id: string): Promise<AskedErasure | undefined> => {
  const [erasure] = await read(on, [id]);
  return erasure;
};
