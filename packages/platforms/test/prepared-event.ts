import type { AttributedEvent } from '@leadback/domain';
import type { PlatformAccess, PlatformEvent } from '../src/index.ts';
import { now } from './given-conversion.ts';

/** The event of what is neither skipped nor early. */
export const preparedEvent = (access: PlatformAccess, event: AttributedEvent): PlatformEvent => {
  const prepared = access.prepare(event, now);
  if (prepared.kind !== 'event') throw new Error(JSON.stringify(prepared));
  return prepared.event;
};
