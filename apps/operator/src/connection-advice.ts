import type { PlatformConnection } from '@leadback/db';
import type { Outcome, Platform } from '@leadback/platforms';
import { optionFlag } from './option-flag.ts';

const resume = (id: number) => `\`connection resume ${id}\``;

/** What sends the feedback that waits; nothing where none has to. */
export const resumeAdvice = ({ id, state }: Pick<PlatformConnection, 'id' | 'state'>): string | null =>
  state === 'active' ? null : `${resume(id)} sends what waits.`;

const sentences = (...parts: readonly (string | null)[]) => parts.filter((part) => part !== null).join(' ');

const flagOf = (name: string) => `${optionFlag(name)} …`;

/** What to do about a platform that refuses a connection for this reason. */
export const refusalAdvice = (
  { id }: Pick<PlatformConnection, 'id'>,
  { remedyFor }: Pick<Platform, 'remedyFor'>,
  reason: string,
): string => {
  const { words, change, credentials = [] } = remedyFor(reason);
  // the brackets of a synopsis: one of them, if it has changed
  const either = credentials.length > 0 ? [`[${credentials.map(flagOf).join(' | ')}]`] : [];
  const flags = [...change.map(flagOf), ...either].join(' ');
  const changeIt = flags === '' ? '' : `\`connection change ${id} ${flags}\` (what has changed of it), and `;
  return `${words} Then ${changeIt}${resume(id)}.`;
};

/** What the answer to a check means, and what to do next. */
export const connectionAdvice = (
  connection: Pick<PlatformConnection, 'id' | 'state'>,
  platform: Pick<Platform, 'title' | 'remedyFor'>,
  outcome: Outcome,
): string => {
  const { title } = platform;
  switch (outcome.kind) {
    case 'delivered':
      return sentences(
        `The connection works: ${title} took a test event, which counts as no conversion.`,
        resumeAdvice(connection),
      );
    case 'rejected':
      return `${title} lets us in, but did not like the test event: ${outcome.reason}`;
    case 'unavailable':
    case 'postponed':
      return `${title} cannot be asked now (${outcome.reason}). Check again in a few minutes; what waits is tried again by itself.`;
    case 'throttled':
      return `${title} asks for fewer requests now (${outcome.reason}). Check again in a few minutes; what waits is tried again by itself.`;
    case 'refused':
      return refusalAdvice(connection, platform, outcome.reason);
  }
};
