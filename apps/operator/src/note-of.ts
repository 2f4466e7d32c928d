import type { Feedback } from '@leadback/db';

/** What the platform was not told in full, and what it reported about the request later. */
export const noteOf = ({ eventNote, note }: Pick<Feedback, 'eventNote' | 'note'>): string | null =>
  [eventNote, note].filter((text) => text != null).join('. ') || null;
