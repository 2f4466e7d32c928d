import { csvRows } from '@leadback/domain';
import { columnsOf, type ImportSubject } from './import-subject.ts';

const values: Readonly<Record<string, string>> = {
  amount: '149.90',
  currency: 'USD',
  clientExternalReference: 'customer-1042',
  conversionExternalReference: 'order-8731',
  occurredAt: '2026-11-21T09:30:00-03:00',
  externalReference: 'customer-1042',
};

/** A file with all columns that an import may have, the required ones first, and a row as an example. */
export const importTemplate = (subject: ImportSubject): string => {
  const { known, required, requiredAny = [] } = columnsOf[subject];
  const first = [...required, ...requiredAny];
  const columns = [...first, ...known.filter((name) => !first.includes(name))];
  return csvRows([columns, columns.map((name) => values[name] ?? '')]);
};
