import { platformNamed } from '@leadback/domain/connection';
import type { Delivery } from '../src/contract/deliveries.ts';
import type { Measure } from '../src/contract/reconciliations.ts';
import type { WebhookDelivery } from '../src/contract/webhooks.ts';
import type { PlatformName } from './parts/platform.tsx';
import { isDay, parseRange, type RangeSearch } from './range/range.ts';

type Search = Readonly<Record<string, unknown>>;

const isWord = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/** Search parameters as plain text, so that a person can read and write them: `?platform=meta&state=failed`. */
export const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

export const stringifySearch = (search: Search): string => {
  const entries = Object.entries(search).flatMap(([name, value]) => (isWord(value) ? [[name, String(value)]] : []));
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
};

/** One of these words; undefined if it is another one, or missing. */
const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === value);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

export const idOf = (value: unknown): number | undefined => {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
};

/** Of lists with a search field. */
export const parseFindSearch = ({ find }: Search): { find?: string | undefined } => ({ find: textOf(find) });

/** A path of this application; a link to another host is not followed. */
export const ownPath = (path: unknown): string | undefined =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : undefined;

/** The filters of the URL. */
export interface AuditSearch {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const dayOf = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text !== undefined && isDay(text) ? text : undefined;
};

export const parseAuditSearch = ({ actor, action, from, to }: Readonly<Record<string, unknown>>): AuditSearch => ({
  actor: textOf(actor),
  action: textOf(action),
  from: dayOf(from),
  to: dayOf(to),
});

export const deliveryStates = [
  'pending',
  'delivered',
  'failed',
  'skipped',
] as const satisfies readonly Delivery['state'][];

export const isPlatform = (text: unknown): text is PlatformName =>
  typeof text === 'string' && platformNamed(text) !== undefined;

export interface DeliveriesSearch {
  readonly platform?: PlatformName | undefined;
  readonly connection?: number | undefined;
  readonly state?: Delivery['state'] | undefined;
  /** Only with failed or skipped. */
  readonly code?: string | undefined;
  readonly conversion?: number | undefined;
  readonly test?: 'true' | undefined;
}

export const parseDeliveriesSearch = (search: Readonly<Record<string, unknown>>): DeliveriesSearch => {
  const state = oneOf(deliveryStates, search.state);
  const hasReason = state === 'failed' || state === 'skipped';
  return {
    platform: isPlatform(search.platform) ? search.platform : undefined,
    connection: idOf(search.connection),
    state,
    code: hasReason ? textOf(search.code) : undefined,
    conversion: idOf(search.conversion),
    test: oneOf(['true'], search.test),
  };
};

const connectionSteps = ['settings', 'check'] as const;

interface NewConnectionSearch {
  readonly platform?: PlatformName | undefined;
  /** Only with a platform. Undefined: the choice of one. */
  readonly step?: (typeof connectionSteps)[number] | undefined;
}

export const parseNewConnectionSearch = ({ platform, step }: Readonly<Record<string, unknown>>): NewConnectionSearch =>
  isPlatform(platform) ? { platform, step: oneOf(connectionSteps, step) ?? 'settings' } : {};

interface ConnectionSearch {
  /** Names of fields to enter again, separated by commas. */
  readonly fix?: string | undefined;
  /** Opens the report of earlier sales. */
  readonly report?: 'now' | undefined;
}

export const parseConnectionSearch = ({ fix, report }: Readonly<Record<string, unknown>>): ConnectionSearch => ({
  fix: textOf(fix),
  report: report === 'now' ? report : undefined,
});

/** Whose story is shown; none: the search. An email is never in the URL. */
export interface FindSearch {
  readonly lead?: number | undefined;
  readonly client?: number | undefined;
  readonly conversion?: number | undefined;
}

/** The first that is given: a story is of one of them. */
export const parseStorySearch = (search: Readonly<Record<string, unknown>>): FindSearch => {
  const [lead, client, conversion] = [idOf(search.lead), idOf(search.client), idOf(search.conversion)];
  if (conversion !== undefined) return { conversion };
  return client === undefined ? { lead } : { client };
};

export const isNamed = ({ lead, client, conversion }: FindSearch): boolean =>
  (lead ?? client ?? conversion) !== undefined;

export const clickDimensions = ['platform', 'source', 'medium', 'campaign', 'term', 'content'] as const;
export type ClickDimension = (typeof clickDimensions)[number];

export const breakdowns = ['page', ...clickDimensions, 'day'] as const;
export type Breakdown = (typeof breakdowns)[number];

/** The measure of the chart; `revenue.USD` and the like: one for each currency. */
export type ShownMeasure = 'leads' | 'clients' | 'conversions' | `revenue.${string}`;

/** Only clicks that say this; empty: that do not say it. */
export type ClickFilter = { readonly [Dimension in ClickDimension]?: string | undefined };

interface OverviewSearch extends RangeSearch, ClickFilter {
  readonly by?: Breakdown | undefined;
  readonly show?: ShownMeasure | undefined;
  readonly page?: string | undefined;
}

const isMeasure = (text: unknown): text is ShownMeasure =>
  typeof text === 'string' && /^(leads|clients|conversions|revenue\.[A-Z]{3})$/.test(text);

const anyText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const parseOverviewSearch = (search: Readonly<Record<string, unknown>>): OverviewSearch => ({
  ...parseRange(search),
  // what is shown without a parameter has none
  by: oneOf([...clickDimensions, 'day'], search.by),
  show: isMeasure(search.show) && search.show !== 'leads' ? search.show : undefined,
  page: anyText(search.page),
  platform: anyText(search.platform),
  source: anyText(search.source),
  medium: anyText(search.medium),
  campaign: anyText(search.campaign),
  term: anyText(search.term),
  content: anyText(search.content),
});

/** The part of the URL that says of which clicks. */
export const filterOf = ({ platform, source, medium, campaign, term, content }: ClickFilter): ClickFilter => ({
  platform,
  source,
  medium,
  campaign,
  term,
  content,
});

/** What needs attention first. */
export const outcomes = [
  'missing',
  'missingWithoutClient',
  'extra',
  'amountDiffers',
  'currencyDiffers',
  'undelivered',
  'duplicateInList',
  'refused',
  'matched',
] as const satisfies readonly Measure[];

interface ReconciliationSearch {
  readonly outcome?: Measure | undefined;
}

export const parseReconciliationSearch = ({ outcome }: Readonly<Record<string, unknown>>): ReconciliationSearch => ({
  outcome: oneOf(outcomes, outcome),
});

export interface LogSearch {
  readonly state?: WebhookDelivery['state'] | undefined;
}

export const parseLogSearch = ({ state }: Readonly<Record<string, unknown>>): LogSearch => ({
  state: oneOf(deliveryStates, state),
});
