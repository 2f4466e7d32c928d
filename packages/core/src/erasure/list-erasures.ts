import type { AccountId, ErasureName } from '@leadback/domain';
import { type Queryable, statement } from '@leadback/db';
import { type Receipt, receiptSchema, type SignedReceipt } from './ask/receipt.ts';

// visitors may ask for many, which do not push out what the account decided on
const isOfVisitor = `(asked_by = 'visitor' and confirmed_by is null)`;

/** SQL: the newest of those that the account decided on, and the newest of visitors. */
const newestOfBoth = (which: string, max: number): string => {
  const newest = (whose: string) =>
    `(select * from erasure where account_id = $1 and ${which} and ${whose} order by requested_at desc, id desc limit ${max})`;
  return `(${newest(`not ${isOfVisitor}`)} union all ${newest(isOfVisitor)}) e`;
};

export interface StartedErasure {
  readonly id: string;
  readonly state: 'pending' | 'failed';
  readonly by: ErasureName;
  readonly actor: string;
  readonly requestedAt: Date;
}

const started = `id, case state when 'failed' then state else 'pending' end as state, named_by as by, actor,
  requested_at as "requestedAt"`;

const readStarted = statement<StartedErasure>(`select ${started} from erasure where account_id = $1 and id = $2`);

/** An erasure that was just asked for. */
export const readStartedErasure = async (on: Queryable, accountId: AccountId, id: string): Promise<StartedErasure> => {
  const [erasure] = await readStarted(on, [accountId, id]);
  if (!erasure) throw new Error('the erasure was not stored');
  return erasure;
};

const listStarted = statement<StartedErasure>(
  `select ${started} from ${newestOfBoth(`state in ('pending', 'failed') and requested_at > now() - interval '7 days'`, 5)}
   order by ${isOfVisitor}, requested_at desc, id desc limit 5`,
);

/** Of the last 7 days the newest that are pending or failed: those that the account decided on, then those of visitors. */
export const listStartedErasures = (on: Queryable, accountId: AccountId): Promise<StartedErasure[]> =>
  listStarted(on, [accountId]);

/** A receipt as the console shows it. */
export interface ListedReceipt extends Pick<Receipt, 'erased' | 'pendingSkipped' | 'finishedAt'> {
  readonly id: string;
  readonly actor: string;
  /** How many stay. */
  readonly conversions: number;
  /** Whether the account refuses to register this person again. */
  readonly isSuppressed: boolean;
  readonly signed: SignedReceipt;
}

const listReceipts = statement<SignedReceipt & Pick<ListedReceipt, 'id' | 'actor' | 'isSuppressed'>>(
  `select e.id, e.actor, e.receipt, e.signature, e.key_id as "keyId",
          a.erased_persons = 'suppress' and exists (
            select from erased_key k
            where k.account_id = $1 and k.erasure_id = e.id and k.asked_by <> 'visitor' and k.allowed_at is null
          ) as "isSuppressed"
   from ${newestOfBoth(`state = 'done'`, 100)} join account a on a.id = e.account_id
   order by e.requested_at desc`,
);

/** The newest 100 that the account decided on, and the newest 100 of visitors. */
export const listErasureReceipts = async (on: Queryable, accountId: AccountId): Promise<ListedReceipt[]> => {
  const rows = await listReceipts(on, [accountId]);
  return rows.map(({ receipt, signature, keyId, ...row }) => {
    const { erased, kept, finishedAt, pendingSkipped } = receiptSchema.parse(JSON.parse(receipt));
    const conversions = kept.find(({ what }) => what === 'conversions')?.count ?? 0;
    return { ...row, erased, finishedAt, pendingSkipped, conversions, signed: { receipt, signature, keyId } };
  });
};
