import type { Breakdown } from '../search.ts';

export interface OverviewTexts {
  readonly title: string;
  readonly intro: string;
  readonly measures: Readonly<Record<'leads' | 'clients' | 'conversions', string>>;
  readonly revenue: (currency: string) => string;
  readonly shareOf: Readonly<Record<'leads' | 'clients', (share: string) => string>>;
  readonly refunded: (amount: string) => string;
  readonly noneBefore: string;
  readonly byDay: (measure: string) => string;
  readonly now: (days: string) => string;
  readonly before: (days: string) => string;
  readonly health: string;
  readonly healthEmpty: string;
  readonly delivered: string;
  readonly failed: string;
  readonly skipped: string;
  readonly pending: string;
  readonly seeLost: string;
  readonly breakdowns: Readonly<Record<Breakdown, string>>;
  readonly names: Readonly<Record<Breakdown, string>>;
  readonly rate: string;
  readonly revenueColumn: string;
  readonly noCampaign: string;
  readonly other: string;
  readonly csv: string;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly emptyAction: string;
  readonly noRows: string;
  readonly onlyPage: (page: string) => string;
  readonly onlyCampaign: (campaign: string) => string;
}

export const overviewEn: OverviewTexts = {
  title: 'Overview',
  intro: 'What the clicks of this account earned, and whether every sale was delivered.',
  measures: { leads: 'Leads', clients: 'Clients', conversions: 'Conversions' },
  revenue: (currency) => `Revenue ${currency}`,
  shareOf: { leads: (share) => `${share} of leads`, clients: (share) => `${share} of clients` },
  refunded: (amount) => `${amount} refunded`,
  noneBefore: 'none before',
  byDay: (measure) => `${measure} by day`,
  now: (days) => days,
  before: (days) => `Before: ${days}`,
  health: 'Delivery health',
  healthEmpty: 'No delivery in this period. Each conversion is delivered to every active connection of the account.',
  delivered: 'Delivered',
  failed: 'Failed',
  skipped: 'Skipped',
  pending: 'Pending',
  seeLost: 'See what was not delivered',
  breakdowns: { page: 'Pages', campaign: 'Campaigns', day: 'Days' },
  names: { page: 'Page', campaign: 'Campaign', day: 'Day' },
  rate: 'Leads → sales',
  revenueColumn: 'Revenue',
  noCampaign: 'No campaign',
  other: 'All others',
  csv: 'Download CSV',
  emptyTitle: 'No clicks in this period',
  empty:
    'Choose a longer period. If the account is new: use the URL of a landing page in an ad, and the first click appears here.',
  emptyAction: 'Show the last 90 days',
  noRows: 'Nothing in this period.',
  onlyPage: (page) => `Page: ${page}`,
  onlyCampaign: (campaign) => `Campaign: ${campaign}`,
};
