import { rejectedCheck } from '@leadback/core/connections/connections';
import type { PlatformConnection } from '@leadback/db';
import { type Outcome, webhookName } from '@leadback/domain';
import type { Platform } from '@leadback/platforms';
import { optionFlag } from './options.ts';

const resume = (id: number) => `\`connection resume ${id}\``;

/** How to send pending deliveries; null if the connection is active. */
export const resumeAdvice = ({ id, state }: Pick<PlatformConnection, 'id' | 'state'>): string | null =>
  state === 'active' ? null : `${resume(id)} sends the pending deliveries.`;

const sentences = (...parts: readonly (string | null)[]) => parts.filter((part) => part !== null).join(' ');

const flagOf = (name: string) => `${optionFlag(name)} …`;

/** How to fix a connection that the platform rejects for this reason. */
export const refusalAdvice = (
  { id, platform }: Pick<PlatformConnection, 'id' | 'platform'>,
  { remedyFor }: Pick<Platform, 'remedyFor'>,
  reason: string,
): string => {
  const { words, change, credentials = [] } = remedyFor(reason);
  // synopsis notation: at most one of them
  const either = credentials.length > 0 ? [`[${credentials.map(flagOf).join(' | ')}]`] : [];
  const flags = [...change.map(flagOf), ...either].join(' ');
  // its partner changes it
  if (platform === webhookName) return `${words.en} Then run ${resume(id)}.`;
  const fix = flags === '' ? `connection check ${id}\`` : `connection change ${id} ${flags}\` (only what has changed)`;
  return `${words.en} Then run \`${fix}: a test event is sent, and what waits if that is accepted.`;
};

interface Checked {
  /** After the check. */
  readonly connection: Pick<PlatformConnection, 'id' | 'platform' | 'state'>;
  readonly outcome: Outcome;
  /** How many deliveries waited, and are sent now. */
  readonly sent: number;
}

const whileHeld = ({ state }: Pick<PlatformConnection, 'state'>): string =>
  state === 'active' ? 'pending deliveries are retried automatically' : 'until then its deliveries wait';

/** What the result of a check means, and what to do next. */
export const connectionAdvice = (
  { connection, outcome, sent }: Checked,
  platform: Pick<Platform, 'title' | 'codes' | 'remedyFor'>,
): string => {
  const { title } = platform;
  switch (outcome.kind) {
    case 'delivered':
      return sentences(
        `The connection works: ${title} accepted a test event, which does not count as a conversion.`,
        sent > 0 ? `What waited is sent now: ${sent.toLocaleString('en')}.` : resumeAdvice(connection),
      );
    case 'rejected':
      return sentences(
        `${title} accepts the connection but rejected the test event: ${outcome.reason}`,
        rejectedCheck(platform.codes, outcome.reason)?.en ?? null,
      );
    case 'unavailable':
    case 'postponed':
      return `${title} is unavailable (${outcome.reason}). Check again in a few minutes; ${whileHeld(connection)}.`;
    case 'throttled':
      return `${title} limits requests now (${outcome.reason}). Check again in a few minutes; ${whileHeld(connection)}.`;
    case 'refused':
      return refusalAdvice(connection, platform, outcome.reason);
  }
};
