import { type PlatformBacklog, readBacklog } from '@leadback/db';
import type { Check } from './check.ts';
import { type Finding, ok, warn, wrong } from './finding.ts';
import { counted, lasting } from './in-words.ts';

const check = 'backlog';
const warnSeconds = 10 * 60;
const wrongSeconds = 60 * 60;

const findingOf = ({ platform, waiting, parked, isMore, oldestId, oldestForSeconds }: PlatformBacklog): Finding => {
  const atLeast = isMore ? 'at least ' : '';
  const count = `${platform}: ${atLeast}${counted(waiting, 'event')} to be sent, ${parked.toLocaleString('en')} waiting for a connection to be resumed`;
  if (oldestForSeconds === null || oldestForSeconds < warnSeconds) return ok(check, count);
  const found = `${count}; event ${oldestId} could have been sent ${lasting(oldestForSeconds)} ago`;
  const todo = `\`feedback show ${oldestId}\` says what has become of it so far. See that enough feedback-workers run, and "workers" below.`;
  return oldestForSeconds < wrongSeconds ? warn(check, found, todo) : wrong(check, found, todo);
};

/** Whether what there is to report gets sent. */
export const checkBacklog: Check = async ({ em }) => {
  const backlogs = await readBacklog(em);
  return backlogs.length > 0 ? backlogs.map(findingOf) : [ok(check, 'there are no connections yet')];
};
