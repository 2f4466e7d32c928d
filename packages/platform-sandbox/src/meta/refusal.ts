import { z } from 'zod';
import type { ErrorAnswer } from '../play-behaviour.ts';
import { invalidParameter } from './errors.ts';
import { eventSchema, type MetaEvent } from './event.ts';
import { isTooThin } from './user-data.ts';

const daySeconds = 24 * 60 * 60;
const ageMaxSeconds = 7 * daySeconds;
const storeAgeMaxSeconds = 62 * daySeconds;
const aheadMaxSeconds = 60;

const requestSchema = z.object({
  data: z.array(eventSchema).min(1, 'must hold an event').max(1000, 'must hold at most 1000 events'),
  test_event_code: z.string().min(1).optional(),
});

const refusalOfEvent = (event: MetaEvent, index: number, nowSeconds: number): ErrorAnswer | undefined => {
  const at = `data[${index}]`;
  const ageSeconds = nowSeconds - event.event_time;
  if (ageSeconds > (event.action_source === 'physical_store' ? storeAgeMaxSeconds : ageMaxSeconds)) {
    return invalidParameter(`${at}.event_time: more than seven days ago`, 2804003, 'Event Timestamp Too Old');
  }
  if (-ageSeconds > aheadMaxSeconds) {
    return invalidParameter(`${at}.event_time: lies in the future`);
  }
  if (isTooThin(event.user_data)) {
    return invalidParameter(`${at}.user_data: matches no person`, 2804050, 'Insufficient Customer Information');
  }
  if (event.action_source === 'website' && event.user_data.client_user_agent === undefined) {
    return invalidParameter(`${at}.user_data.client_user_agent: required of a website event`);
  }
  if (event.action_source === 'website' && event.event_source_url === undefined) {
    return invalidParameter(`${at}.event_source_url: required of a website event`);
  }
  const { value, currency } = event.custom_data ?? {};
  if (event.event_name === 'Purchase' && (value === undefined || currency === undefined)) {
    return invalidParameter(`${at}.custom_data: a Purchase needs value and currency`);
  }
  return undefined;
};

/** Why Meta would reject this request: one invalid event is enough. `undefined` if Meta would accept it. */
export const refusalOf = (body: unknown, nowMs: number): ErrorAnswer | undefined => {
  const request = requestSchema.safeParse(body);
  if (!request.success) {
    const [issue] = request.error.issues;
    return invalidParameter(`${z.core.toDotPath(issue?.path ?? [])}: ${issue?.message}`);
  }
  const nowSeconds = Math.floor(nowMs / 1000);
  return request.data.data.map((event, index) => refusalOfEvent(event, index, nowSeconds)).find(Boolean);
};
