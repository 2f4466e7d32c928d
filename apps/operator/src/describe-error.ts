import { isDatabaseUnavailable, isPermissionDenied, isLockTimeout } from '@leadback/db';
import { z } from 'zod';
import { OperatorError } from './operator-error.ts';
import { optionFlag } from './option-flag.ts';

const flagOf = (name: PropertyKey) => (name === 'id' ? 'ID' : optionFlag(String(name)));

/** What an operator is told: what to mend where it is theirs to mend, and everything there is where it is a bug. */
export const describeError = (error: unknown): string => {
  if (error instanceof z.ZodError) {
    return error.issues.map(({ path, message }) => `${path.slice(0, 1).map(flagOf).join('')}: ${message}`).join('\n');
  }
  if (error instanceof OperatorError) return error.message;
  if (isDatabaseUnavailable(error)) return 'PostgreSQL cannot be reached; is DATABASE_URL right and the server up?';
  if (isPermissionDenied(error)) {
    return 'The role in DATABASE_URL may not do this: what changes the schema is done as leadback_owner.';
  }
  if (isLockTimeout(error)) {
    return 'A table was in use for all the time, by a long backup or report perhaps. What was done until then stays; run it again later.';
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};
