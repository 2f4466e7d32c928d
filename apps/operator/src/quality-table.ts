import type { PlatformQuality } from '@leadback/reports';
import type { Row } from './command.ts';

/** A type, because an interface is not assignable to `Row`. */
export type QualityRow = { readonly [Name in keyof PlatformQuality]: PlatformQuality[Name] };

const percent = (share: number) => `${(share * 100).toLocaleString('en-US', { maximumFractionDigits: 1 })} %`;

/** `12 no_match_keys, 1 consent` */
const formatCounts = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([reason, count]) => `${count.toLocaleString('en-US')} ${reason}`)
    .join(', ');

/** One row per platform; its advice follows in rows of their own. */
export const qualityTable = (platforms: readonly QualityRow[]): readonly Row[] =>
  platforms.flatMap(({ platform, conversions, delivered, skipped, failed, keys, advice }) => {
    const [first, ...others] = advice.map(({ action, affects }) => `${percent(affects)}: ${action}`);
    const shares = Object.entries(keys).map(([key, share]) => `${key} ${percent(share)}`);
    const blank = { platform: '', conversions: '', delivered: '', skipped: '', failed: '', keys: '' };
    return [
      {
        platform,
        conversions: conversions.toLocaleString('en-US'),
        delivered: delivered.toLocaleString('en-US'),
        skipped: formatCounts(skipped),
        failed: formatCounts(failed),
        keys: shares.join(', '),
        advice: first ?? '',
      },
      ...others.map((words) => ({ ...blank, advice: words })),
    ];
  });
