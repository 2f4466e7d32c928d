import { isDatabaseUnavailable, isPermissionDenied, isLockTimeout } from '@leadback/db';
import { ActionRefused } from '@leadback/core/people/access';
import { Refusal } from '@leadback/domain';
import { z } from 'zod';
import { OperatorError, optionFlag } from './options.ts';

const flagOf = (name: PropertyKey) => (name === 'id' ? 'ID' : optionFlag(String(name)));

/** What to fix, or the stack if the error is a bug. */
export const describeError = (error: unknown): string => {
  if (error instanceof z.ZodError) {
    return error.issues.map(({ path, message }) => `${path.slice(0, 1).map(flagOf).join('')}: ${message}`).join('\n');
  }
  if (error instanceof OperatorError || error instanceof ActionRefused || error instanceof Refusal)
    return error.message;
  if (isLockTimeout(error)) {
    return 'a table stayed locked, possibly by a long backup or report. What was done so far is kept; run the command again later.';
  }
  if (isDatabaseUnavailable(error))
    return 'cannot reach PostgreSQL. Check DATABASE_URL and that the server is running, then run `doctor`.';
  if (isPermissionDenied(error)) {
    return 'permission denied for the role in DATABASE_URL. Run commands as leadback_console, and those that change the schema as leadback_owner.';
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};
