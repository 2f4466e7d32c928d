import { type Currency, currencies, type PlatformName, platformNames } from '@leadback/domain';
import type { ImportRecord } from '@leadback/core/imports/read';
import type { MoneySums } from '@leadback/core/imports/money-sums';
import type { ReconciliationRecord, ReconciliationRowRecord } from '@leadback/core/reconciliation/read';
import { checkDownloadInput, checkDownloadReply, type ImportItem } from '../contract/imports.ts';
import type { ListedRow, ReconciliationItem } from '../contract/reconciliations.ts';
import type { Money } from '../contract/shared.ts';
import type { PersonalData } from '../personal-data.ts';
import { endpoint } from './guard.ts';

const moneyOf = (sums: MoneySums = {}): Money[] =>
  currencies.flatMap((currency) => {
    const amount = sums[currency];
    return amount === undefined ? [] : [{ currency, amount }];
  });

const tooOldOf = (counts: Readonly<Partial<Record<PlatformName, number>>>) =>
  platformNames.flatMap((platform) => {
    const rows = counts[platform] ?? 0;
    return rows === 0 ? [] : [{ platform, rows }];
  });

const timeOrNull = (at: Date | null) => at?.toISOString() ?? null;

const none = { created: 0, existing: 0, repeated: 0, differs: 0, refused: 0 };

export const describeImport = (found: ImportRecord): ImportItem => ({
  id: found.id,
  of: found.of,
  isTest: found.isTest,
  isDryRun: found.isDryRun,
  state: found.state === 'uploading' ? 'pending' : found.state,
  rows: found.rows,
  done: found.done,
  counts: { ...none, ...found.counts },
  money: moneyOf(found.money),
  tooOld: tooOldOf(found.tooOld),
  unshared: found.unshared,
  emailReferences: found.emailReferences,
  fileName: found.fileName,
  createdBy: found.createdBy,
  trialId: found.trialId,
  registeredAs: found.registeredAs,
  message: found.message,
  createdAt: found.createdAt.toISOString(),
  finishedAt: timeOrNull(found.finishedAt),
});

const describeReplay = ({
  state,
  isDryRun,
  counts,
  money,
  tooOld,
  withoutTime,
}: NonNullable<ReconciliationRecord['replay']>) => ({
  state,
  isDryRun,
  counts,
  money: moneyOf(money),
  tooOld: tooOldOf(tooOld),
  withoutTime,
});

export const describeReconciliation = ({ money, replay, ...found }: ReconciliationRecord): ReconciliationItem => ({
  ...found,
  from: found.from.toISOString(),
  until: found.until.toISOString(),
  money: {
    matched: moneyOf(money.matched),
    amountDiffers: moneyOf(money.amountDiffers),
    currencyDiffers: moneyOf(money.currencyDiffers),
    duplicateInList: moneyOf(money.duplicateInList),
    missing: moneyOf(money.missing),
    missingWithoutClient: moneyOf(money.missingWithoutClient),
    extra: moneyOf(money.extra),
    undelivered: moneyOf(money.undelivered),
    refused: moneyOf(money.refused),
  },
  registered: moneyOf(money.registered),
  replay: replay && describeReplay(replay),
  createdAt: found.createdAt.toISOString(),
  finishedAt: timeOrNull(found.finishedAt),
});

const isCurrency = (text: string | null): text is Currency => currencies.some((currency) => currency === text);

const amountOf = (amount: string | null, currency: string | null): Money | null =>
  amount !== null && isCurrency(currency) ? { amount, currency } : null;

/** Without what names the client. */
export const describeListedRow = (row: ReconciliationRowRecord, data: PersonalData): ListedRow => ({
  number: row.number,
  outcome: row.outcome,
  reference: data.reference(row.conversionExternalReference),
  amount: amountOf(row.amount, row.currency),
  registered: amountOf(row.registeredAmount, row.registeredCurrency),
  occurredAt: timeOrNull(row.occurredAt),
  conversionId: row.conversionId,
  undelivered: [...row.undelivered],
  message: data.message(row.message),
});

/** A page of a list that is read by descending ids; a page that is not full is the last one. */
export const pageOf = <Found extends { readonly id: number }, Item>(
  found: readonly Found[],
  limit: number,
  describe: (one: Found) => Item,
) => ({
  items: found.map((one) => describe(one)),
  next: found.length === limit ? (found.at(-1)?.id ?? null) : null,
});

/** A browser that follows a link to a file cannot ask for the second factor: the page asks here first. */
export const checkDownload = endpoint({
  method: 'post',
  path: '/accounts/:account/files/check',
  input: checkDownloadInput,
  replies: { 200: { body: checkDownloadReply } },
  handle: async () => ({ status: 200, body: {} }),
});

/** The headers of a CSV file that browsers save. */
export const attachment = (name: string) => ({ 'Content-Disposition': `attachment; filename="${name}.csv"` });
