import { z } from 'zod';
import type { ErrorAnswer } from '../play-behaviour.ts';
import { invalidParameter, tiktokError } from './errors.ts';
import { eventSchema, type TikTokEvent } from './event.ts';
import { isTooThin } from './user-data.ts';

const ageMaxSeconds = 7 * 24 * 60 * 60;
const aheadMaxSeconds = 60;

const requestSchema = z.object({
  event_source: z.enum(['web', 'app', 'offline', 'crm'], 'Must be one of: web, app, offline, crm.'),
  event_source_id: z.string('Not a valid string.').min(1, 'Must not be empty.'),
  test_event_code: z.string('Not a valid string.').min(1, 'Must not be empty.').optional(),
  data: z
    .array(eventSchema, 'Not a valid list.')
    .min(1, 'Length must be between 1 and 1000.')
    .max(1000, 'Length must be between 1 and 1000.'),
});

const troubleOf = ({ event_time: time, user }: TikTokEvent, nowSeconds: number): string | undefined => {
  if (nowSeconds - time > ageMaxSeconds) return 'event_time: More than seven days ago.';
  if (time - nowSeconds > aheadMaxSeconds) return 'event_time: Lies in the future.';
  return isTooThin(user) ? 'user: Needs one of ttclid, ttp, email, phone and external_id.' : undefined;
};

/**
 * Why TikTok would reject this request; `undefined` if TikTok would accept it. The message begins with the path of the
 * invalid field, as in `data.0.user.email: …` (as rudder-transformer reads it from the previous API).
 */
export const refusalOf = (body: unknown, nowMs: number): ErrorAnswer | undefined => {
  const request = requestSchema.safeParse(body, { reportInput: true });
  if (!request.success) {
    const [issue] = request.error.issues;
    const trouble = issue?.input === undefined ? 'Missing data for required field.' : issue.message;
    return invalidParameter(`${issue?.path.join('.')}: ${trouble}`);
  }
  const { event_source: source, event_source_id: pixelCode, test_event_code: testEventCode, data } = request.data;
  if (testEventCode !== undefined && data.length > 1) {
    return invalidParameter('data: Length must be 1 if test_event_code is given.');
  }
  if (source === 'web' && !/^[A-Z0-9]+$/i.test(pixelCode)) {
    return tiktokError(40001, `No permission to operate pixel code: ${pixelCode}.`);
  }
  const nowSeconds = Math.floor(nowMs / 1000);
  for (const [index, event] of data.entries()) {
    const trouble = troubleOf(event, nowSeconds);
    if (trouble !== undefined) return invalidParameter(`data.${index}.${trouble}`);
  }
  return undefined;
};
