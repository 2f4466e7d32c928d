import type { Preset } from '../presets.ts';

export interface RangeTexts {
  readonly period: string;
  readonly presets: Readonly<Record<Preset, string>>;
  readonly earlier: string;
  readonly later: string;
  readonly custom: string;
  readonly from: string;
  readonly to: string;
  readonly apply: string;
  readonly wrong: (days: number) => string;
  readonly utc: string;
}

export const rangeEn: RangeTexts = {
  period: 'Period',
  presets: {
    today: 'Today',
    '7d': 'Last 7 days',
    '30d': 'Last 30 days',
    '90d': 'Last 90 days',
    month: 'This month',
    'last-month': 'Last month',
  },
  earlier: 'Earlier period',
  later: 'Later period',
  custom: 'Other days',
  from: 'From',
  to: 'To',
  apply: 'Apply',
  wrong: (days) => `Choose a first day that is not after the last one, and at most ${days} days.`,
  utc: 'Days begin at midnight UTC.',
};
