import type { Measures } from '../../../src/contract/overview.ts';
import type { Measure } from './search.ts';

const counts = ['leads', 'clients', 'conversions'] as const;

interface Revenues {
  readonly totals: Pick<Measures, 'revenue'>;
  readonly previous: Pick<Measures, 'revenue'>;
}

/** What can be shown: the funnel, and the revenue of each currency that the account has. */
export const measuresOf = ({ totals, previous }: Revenues): readonly Measure[] => {
  const currencies = new Set([...totals.revenue, ...previous.revenue].map(({ currency }) => currency));
  return [...counts, ...[...currencies].toSorted().map((currency): Measure => `revenue.${currency}`)];
};

export const currencyOf = (measure: Measure): string | undefined => measure.split('.')[1];

export const valueOf = (measures: Measures, measure: Measure): number => {
  const count = counts.find((name) => name === measure);
  if (count) return measures[count];
  const currency = currencyOf(measure);
  return Number(measures.revenue.find((money) => money.currency === currency)?.amount ?? 0);
};

/** By how much of the value before it changed; undefined if that was nothing. */
export const changeOf = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before;

/** The step of the funnel before, of which a measure is a share. */
export const stepBefore: Readonly<Partial<Record<Measure, 'leads' | 'clients'>>> = {
  clients: 'leads',
  conversions: 'clients',
};
