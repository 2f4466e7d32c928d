import { parseRange, type RangeSearch } from '../../range/range.ts';
import { oneOf } from '../../search-parameters.ts';

export const breakdowns = ['page', 'campaign', 'day'] as const;
export type Breakdown = (typeof breakdowns)[number];

/** The measure of the chart; `revenue.USD` and the like: one for each currency. */
export type ShownMeasure = 'leads' | 'clients' | 'conversions' | `revenue.${string}`;

export interface OverviewSearch extends RangeSearch {
  readonly by?: Breakdown | undefined;
  readonly show?: ShownMeasure | undefined;
  readonly page?: string | undefined;
  /** Empty: clicks without a campaign. */
  readonly campaign?: string | undefined;
}

const isMeasure = (text: unknown): text is ShownMeasure =>
  typeof text === 'string' && /^(leads|clients|conversions|revenue\.[A-Z]{3})$/.test(text);

const anyText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const parseOverviewSearch = (search: Readonly<Record<string, unknown>>): OverviewSearch => ({
  ...parseRange(search),
  // what is shown without a parameter has none
  by: oneOf(['campaign', 'day'], search.by),
  show: isMeasure(search.show) && search.show !== 'leads' ? search.show : undefined,
  page: anyText(search.page),
  campaign: anyText(search.campaign),
});
