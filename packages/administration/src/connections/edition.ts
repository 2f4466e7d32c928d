import { createHash } from 'node:crypto';
import type { PlatformConnection } from '@leadback/db';

/**
 * Differs after every change of a connection, also of its credentials, because they are encrypted again. Its version would
 * not do: it grows with a resume, and not with a change of the kinds of events.
 */
export const editionOf = ({
  settings,
  eventKinds,
  eventNames,
  credentials,
}: Pick<PlatformConnection, 'settings' | 'eventKinds' | 'eventNames' | 'credentials'>): string =>
  createHash('sha256')
    .update(JSON.stringify([settings, eventKinds, eventNames]))
    .update(credentials)
    .digest('base64url');
