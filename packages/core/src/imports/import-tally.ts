import type { PlatformName } from '@leadback/domain';
import { preparedStatement, type Queryable } from '@leadback/db';
import { addMoney, type MoneySums } from './money-sums.ts';
import { countTooOld, type TooOld } from './too-old.ts';

/** About the rows that an import registered or, if it is a dry run, would register. */
export interface ImportTally {
  /** What conversions are worth. */
  readonly money: MoneySums;
  /** Only of a dry run. */
  readonly tooOld: TooOld;
  /** Conversions of visitors who refused to share data, or have withdrawn consent: no platform is told of them. Only of a dry run. */
  readonly unshared: number;
  /** Rows with a reference that is an email: more people see references than emails. */
  readonly emailReferences: number;
}

// as `sharingOf` judges
const count = preparedStatement<{ unshared: number }>(
  'count-unshared-leads',
  `select count(*)::int as unshared
   from unnest($2::bigint[]) asked (id)
   cross join lateral (
     select from lead
     where id = asked.id and account_id + 0 = $1
       and (consent_withdrawn_at is not null or consent is false and consent_scope is distinct from 'personalisation')
     limit 1
   ) refused`,
);

/** How many of these leads are of visitors who refused to share data; each counts as often as it is named. */
export const countUnshared = async (on: Queryable, accountId: number, leadIds: readonly number[]): Promise<number> =>
  leadIds.length === 0 ? 0 : ((await count(on, [accountId, leadIds]))[0]?.unshared ?? 0);

interface TalliedRow {
  readonly outcome: string;
  readonly item: Readonly<Record<string, string | number>>;
  /** The platforms that would skip it for its age. */
  readonly tooOldFor?: readonly PlatformName[] | undefined;
}

const references = ['externalReference', 'clientExternalReference', 'conversionExternalReference'];

const hasEmailReference = ({ item }: TalliedRow): boolean =>
  references.some((column) => item[column]?.toString().includes('@') === true);

const amountOf = ({ item }: TalliedRow) => ({
  currency: item['currency']?.toString() ?? null,
  amount: item['amount']?.toString() ?? null,
});

/** Adds rows that were closed. */
export const tallied = (
  so: ImportTally,
  rows: readonly TalliedRow[],
  { platforms, unshared }: { readonly platforms: readonly PlatformName[]; readonly unshared: number },
): ImportTally => ({
  money: addMoney(so.money, rows.filter(({ outcome }) => outcome === 'created').map(amountOf)),
  tooOld: countTooOld(so.tooOld, platforms, rows),
  unshared: so.unshared + unshared,
  emailReferences: so.emailReferences + rows.filter(hasEmailReference).length,
});
