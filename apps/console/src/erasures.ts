import { pageUrl } from '@leadback/core/pages/pages';
import { type Contacts, type Database, Erasure, preparedStatement } from '@leadback/db';
import { allowPerson } from '@leadback/core/erasure/keep-erased-keys';
import { type CountedPerson, countPerson } from '@leadback/core/erasure/count-person';
import type { PersonToErase } from '@leadback/core/erasure/find-person';
import { askErasure } from '@leadback/core/erasure/ask/ask-erasure';
import { confirmErasure, listAskedErasures } from '@leadback/core/erasure/ask/asked-erasures';
import { receiptSchema } from '@leadback/core/erasure/ask/receipt';
import type { AccountScope } from '@leadback/core/people/access';
import type { Keys } from '@leadback/domain/keys';
import type { AskedErasure, Receipt, StartedErasure } from './contract/erasures.ts';

type Whom = Pick<PersonToErase, 'email' | 'externalReference'>;

export interface Erasures {
  count(scope: AccountScope, whom: Whom): Promise<CountedPerson>;
  /** An api performs it. */
  start(scope: AccountScope, actor: string, whom: Whom): Promise<StartedErasure>;
  /** Of the last 7 days the newest that are pending or failed: those that the account decided on, then those of visitors. */
  listStarted(scope: AccountScope): Promise<StartedErasure[]>;
  /** Those that wait for the account: see `listAskedErasures`. */
  listAsked(scope: AccountScope): Promise<AskedErasure[]>;
  /** An api performs it. Returns whether it waited for that. */
  confirm(scope: AccountScope, actor: string, id: string): Promise<boolean>;
  /** Lets the account register the person of an erasure again. */
  allow(scope: AccountScope, actor: string, erasureId: string): Promise<void>;
  /** The newest that the account decided on, and the newest of visitors. */
  listReceipts(scope: AccountScope): Promise<Receipt[]>;
}

const startedMax = 5;
const startedMaxMs = 7 * 86_400_000;
const askedMax = 100;
const receiptsMax = 100;
const newestFirst = { requestedAt: 'desc', id: 'desc' } as const;
// visitors may ask for many, which do not push out what the account decided on
const ofVisitors = { askedBy: 'visitor', confirmedBy: null } as const;
const ofAccount = { $or: [{ askedBy: { $ne: 'visitor' as const } }, { confirmedBy: { $ne: null } }] };

const findSuppressed = preparedStatement<{ id: string }>(
  'find-suppressing-erasures',
  `select distinct erasure_id as id from erased_key
   where account_id = $1 and erasure_id = any($2) and asked_by <> 'visitor' and allowed_at is null
     and (select erased_persons from account where id = $1) = 'suppress'`,
);

const described = ({ id, state, namedBy, actor, requestedAt }: Erasure): StartedErasure => ({
  id,
  state: state === 'failed' ? state : 'pending',
  by: namedBy,
  actor,
  requestedAt: requestedAt.toISOString(),
});

export const erasures = (
  { em, pool }: Pick<Database, 'em' | 'pool'>,
  { keys, contacts, landingUrl }: { readonly keys: Keys; readonly contacts: Contacts; readonly landingUrl: string },
): Erasures => ({
  count: ({ accountId }, whom) => countPerson(pool, { accountId, decidedBy: 'console', ...whom }, contacts),
  async start({ accountId }, actor, subject) {
    const id = await askErasure(pool, keys, { accountId, askedBy: 'console', actor, subject });
    return described(await em().findOneOrFail(Erasure, { id, accountId }));
  },
  async listStarted({ accountId }) {
    const since = new Date(Date.now() - startedMaxMs);
    const find = (whose: typeof ofVisitors | typeof ofAccount) =>
      em().find(
        Erasure,
        { accountId, state: ['pending', 'failed'], requestedAt: { $gt: since }, ...whose },
        { orderBy: newestFirst, limit: startedMax },
      );
    const found = [...(await find(ofAccount)), ...(await find(ofVisitors))];
    return found.slice(0, startedMax).map(described);
  },
  async listAsked({ accountId }) {
    const found = await listAskedErasures(pool, keys, accountId, askedMax);
    return found.map(({ requestedAt, until, ...same }) => ({
      ...same,
      requestedAt: requestedAt.toISOString(),
      until: until.toISOString(),
    }));
  },
  confirm: ({ accountId }, actor, id) => confirmErasure(pool, { accountId, id, by: 'console', actor }),
  async allow({ accountId }, actor, erasureId) {
    await allowPerson(pool, contacts, { accountId, actor, erasureId });
  },
  async listReceipts({ accountId }) {
    const find = (whose: typeof ofVisitors | typeof ofAccount) =>
      em().find(Erasure, { accountId, state: 'done', ...whose }, { orderBy: newestFirst, limit: receiptsMax });
    const found = [...(await find(ofAccount)), ...(await find(ofVisitors))].toSorted(
      (one, other) => other.requestedAt.getTime() - one.requestedAt.getTime(),
    );
    const suppressing = await findSuppressed(pool, [accountId, found.map(({ id }) => id)]);
    const suppressed = new Set(suppressing.map(({ id }) => id));
    return found.flatMap(({ id, actor, receipt, signature, keyId }) => {
      if (receipt == null || signature == null || keyId == null) return [];
      const { erased, kept, finishedAt, pendingSkipped } = receiptSchema.parse(JSON.parse(receipt));
      return {
        id,
        at: finishedAt,
        actor,
        ...erased,
        conversions: kept.find(({ what }) => what === 'conversions')?.count ?? 0,
        pendingSkipped,
        isSuppressed: suppressed.has(id),
        url: pageUrl(landingUrl, `data/receipt/${id}`),
        signed: { receipt, signature, keyId },
      };
    });
  },
});
