import { type AccountMode, platformNamed, platformNames, type PlatformName } from '@leadback/domain';
import type { Queryable } from '@leadback/db';
import { timesOf } from '../accounts/days.ts';
import { type HeldConnection, readAttention, readPending, readUntold } from '../delivery/waiting.ts';
import { type PlatformQuality, readQuality } from './quality.ts';

interface ReportedAdvice {
  readonly action: string;
  /** The share of the conversions that it would help, 0 to 1. */
  readonly affects: number;
}

/** What an account is told of a platform: how conversions ended, what has not ended, and what it can do. */
export interface PlatformReport extends Omit<PlatformQuality, 'advice'> {
  /** Deliveries that are not closed, whatever the day of their conversions. */
  readonly pending: number;
  /** When the oldest of their conversions occurred. */
  readonly oldestPendingAt: Date | null;
  /** Conversions of the range that no connection took, to whatever platform: the same for each. */
  readonly undelivered: number;
  /** Its connections that wait for a person. */
  readonly needsAttention: readonly HeldConnection[];
  /** What blocks comes first. */
  readonly advice: readonly ReportedAdvice[];
}

const titleOf = (platform: PlatformName) => platformNamed(platform)?.title ?? platform;

const fixing = ({ platform, label, state, reason, deliveries }: HeldConnection): string => {
  const title = titleOf(platform);
  const waits = `deliveries that wait for it: ${deliveries}.`;
  if (state === 'paused')
    return `Ask your operator to resume the connection "${label}" to ${title}, which is paused; ${waits}`;
  const words = reason === null ? '' : ` ${title} says: ${reason}`;
  return `Ask your operator to fix the connection "${label}", which ${title} rejects; ${waits}${words}`;
};

const none = { conversions: 0, delivered: 0, skipped: {}, failed: {}, keys: {}, advice: [] } as const;

const share = (part: number, rest: number) => (part === 0 ? 0 : Math.round((part / (part + rest)) * 10_000) / 10_000);

/**
 * The report of an account: of each platform with a closed delivery, and of each to which it has a connection if anything waits. `from` and `to`: the days of the
 * conversions, of the account's, both inclusive, `YYYY-MM-DD`; what waits is told as it is now. Tests are not counted, but those that wait.
 */
export const readReport = async (
  on: Queryable,
  mode: AccountMode,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<PlatformReport[]> => {
  const closed = await readQuality(on, mode, { from, to });
  const pending = await readPending(on, mode);
  const { connections } = await readAttention(on, mode);
  const range = await timesOf(on, mode.accountId, { from, to });
  const { conversions: undelivered } = mode.isTest ? { conversions: 0 } : await readUntold(on, mode, range);
  return platformNames.flatMap((platform) => {
    const waiting = pending.find((one) => one.platform === platform);
    const quality = closed.find((one) => one.platform === platform);
    const needsAttention = connections.filter((held) => held.platform === platform);
    const isQuiet = needsAttention.length === 0 && undelivered === 0 && !waiting?.pending;
    if (quality === undefined && (waiting === undefined || isQuiet)) return [];
    const { advice, ...counts } = quality ?? { platform, ...none };
    const known = counts.conversions + (waiting?.pending ?? 0);
    const blocks = needsAttention.map((held) => ({
      action: fixing(held),
      affects: share(held.deliveries, known - held.deliveries),
    }));
    const untold = {
      action: `Ask your operator to report the sales that no connection took (${undelivered}): \`connection backfill\`.`,
      affects: share(undelivered, known),
    };
    return {
      ...counts,
      pending: waiting?.pending ?? 0,
      oldestPendingAt: waiting?.oldestPendingAt ?? null,
      undelivered,
      needsAttention,
      advice: [
        ...blocks,
        ...(undelivered > 0 ? [untold] : []),
        ...advice.map(({ action, affects }) => ({ action, affects })),
      ],
    };
  });
};
