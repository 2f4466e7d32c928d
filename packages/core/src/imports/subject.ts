import { type Delimiter, eventAgeMaxMs, type PlatformName, type AccountMode } from '@leadback/domain';
import { statement, type Queryable } from '@leadback/db';
import type { CsvColumns, CsvRow } from '../csv/read.ts';
import { clientSchema } from '../clients/register.ts';
import { conversionSchema } from '../conversions/register.ts';
import { addMoney, type MoneySums } from './money-sums.ts';
import type { Reading } from './reading.ts';

export type ImportSubject = 'client' | 'conversion';

/** The columns that a result file has beside those of the import. */
export const resultColumns = ['outcome', 'id', 'message'] as const;

const consentColumns = ['adUserData', 'adPersonalization'];
const isOfConsent = ([column]: readonly [string, unknown]) => consentColumns.includes(column);

/** A row of a file as a body of a request: what a request has in `consent`, has columns of its own. */
export const withConsent = (item: Readonly<Record<string, string | number>>): object => {
  const cells = Object.entries(item);
  if (!cells.some(isOfConsent)) return item;
  return {
    ...Object.fromEntries(cells.filter((cell) => !isOfConsent(cell))),
    consent: Object.fromEntries(cells.filter(isOfConsent)),
  };
};

/** What a row tells of sharing; it was registered, and so this is a word or nothing. */
export const toldSharing = (item: Readonly<Record<string, string | number>>): string | undefined =>
  item['adUserData']?.toString().trim().toLowerCase();

// a row has no room for lists
const notOfColumns = ['consent', 'items'];

const columnsFor = (schema: { readonly shape: object }): string[] => [
  ...Object.keys(schema.shape).filter((field) => !notOfColumns.includes(field)),
  ...consentColumns,
];

const clientColumns: CsvColumns = {
  known: columnsFor(clientSchema),
  required: ['leadReference'],
  ignored: resultColumns,
};

const conversionColumns: CsvColumns = {
  known: columnsFor(conversionSchema),
  required: ['conversionExternalReference', 'amount', 'currency'],
  requiredAny: ['clientExternalReference', 'email'],
  ignored: resultColumns,
};

export const columnsOf: Readonly<Record<ImportSubject, CsvColumns>> = {
  client: clientColumns,
  conversion: conversionColumns,
};

/** What a row has to fit, beside what only the records of the account say. */
export const schemaOf = { client: clientSchema, conversion: conversionSchema } as const;

/** The column that makes it safe to register a row again. */
export const referenceColumnOf: Readonly<Record<ImportSubject, string>> = {
  client: 'externalReference',
  conversion: 'conversionExternalReference',
};

/**
 * The client that a row of a result file says it is. Conversions always have a reference to recognise them by, and so
 * do not need it.
 */
export const claimedId = (subject: ImportSubject, { ignored = [] }: Pick<CsvRow, 'ignored'>): number | undefined => {
  const [outcome = '', id = ''] = ignored;
  const isRegistered = subject === 'client' && (outcome === 'created' || outcome === 'existing');
  return isRegistered && /^[1-9]\d{0,15}$/.test(id) ? Number(id) : undefined;
};

/** How many rows each platform of the account will skip, because they occurred too long ago. */
type TooOld = Readonly<Partial<Record<PlatformName, number>>>;

/** Which platforms will skip a conversion for its age, as the worker will judge. */
export const tooOldFor = (occurredAt: string, at: Date, platforms: readonly PlatformName[]): PlatformName[] => {
  const ageMs = at.getTime() - Date.parse(occurredAt);
  return platforms.filter((platform) => ageMs > eventAgeMaxMs(platform));
};

/** Counts how many rows each of the platforms will skip, on top of earlier counts. */
const countTooOld = (
  counts: TooOld,
  platforms: readonly PlatformName[],
  rows: readonly { readonly tooOldFor?: readonly PlatformName[] | undefined }[],
): TooOld => {
  const sums: Partial<Record<PlatformName, number>> = { ...counts };
  for (const platform of platforms) {
    const tooOld = rows.filter((row) => row.tooOldFor?.includes(platform)).length;
    sums[platform] = (sums[platform] ?? 0) + tooOld;
  }
  return sums;
};

/** About the rows that an import registered or, if it is a dry run, would register. */
export interface ImportTally {
  /** What conversions are worth. */
  readonly money: MoneySums;
  /** Only of a dry run. */
  readonly tooOld: TooOld;
  /** Conversions of persons who refused to share data, by a landing page or the file, or have withdrawn consent: no platform is told of them. Only of a dry run. */
  readonly unshared: number;
  /** Rows with a reference that is an email: more people see references than emails. */
  readonly emailReferences: number;
}

// as `sharingOf` judges
const count = statement<{ unshared: number }>(
  `select count(*)::int as unshared
   from unnest($2::bigint[]) asked (id) join lead l on l.id = asked.id and l.account_id = $1
   where l.consent_withdrawn_at is not null or l.consent is false and l.consent_scope is distinct from 'personalisation'`,
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

const talliedAmountOf = ({ item }: TalliedRow) => ({
  currency: item['currency']?.toString() ?? null,
  amount: item['amount']?.toString() ?? null,
});

/** Adds rows that were closed. */
export const tallied = (
  so: ImportTally,
  rows: readonly TalliedRow[],
  { platforms, unshared }: { readonly platforms: readonly PlatformName[]; readonly unshared: number },
): ImportTally => ({
  money: addMoney(so.money, rows.filter(({ outcome }) => outcome === 'created').map(talliedAmountOf)),
  tooOld: countTooOld(so.tooOld, platforms, rows),
  unshared: so.unshared + unshared,
  emailReferences: so.emailReferences + rows.filter(hasEmailReference).length,
});

export interface OpenImport extends AccountMode, ImportTally {
  readonly id: number;
  readonly subject: ImportSubject;
  readonly isDryRun: boolean;
  readonly columns: readonly string[];
  readonly delimiter: Delimiter;
  readonly reading: Reading;
  readonly digest: Buffer;
  /** When the transaction began, by the clock of the database. */
  readonly at: Date;
}
