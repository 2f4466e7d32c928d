import type { FailureScope } from './batch.ts';

/** Of a failure: node's own code or the SQLSTATE; undefined where it has none. */
export const databaseErrorCode = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return databaseErrorCode(error.cause);
};

// node's own codes, then SQLSTATE: connection, transaction rolled back, no resources, operator intervention, system
// error, read-only standby, idle for too long in a transaction
const passingCode =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|(08|40|53|57|58)...|25006|25P03)$/;
// what pg says without a code
const passingMessage = /timeout|Connection terminated|not queryable/;

/** Whether the database cannot be reached or cannot serve now, so that the same statement may succeed later. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = databaseErrorCode(error);
  return code === undefined ? passingMessage.test(error.message) : passingCode.test(code);
};

/** Whether the role may not do what the statement asks for. */
export const isPermissionDenied = (error: unknown): boolean => databaseErrorCode(error) === '42501';

/** Whether a statement failed for the data that it was given, and always will (SQLSTATE 22 and 23). */
export const isDataError = (error: unknown): boolean => /^(22|23)...$/.test(databaseErrorCode(error) ?? '');

/** Whether a lock was not to be had in time (SQLSTATE 55P03), because others use the table. */
export const isLockTimeout = (error: unknown): boolean => databaseErrorCode(error) === '55P03';

// the data of one item (21, 22, 23, 54), or a transaction that stood in another's way and may pass alone (40)
const ofOneItem = /^(21|22|23|40|54)...$/;
// the statement took too long; the next one may not
const cancelled = '57014';

/** Whom a failed statement of a group fails, see `Grouping`. */
export const failureScopeOf = (error: unknown): FailureScope => {
  const code = databaseErrorCode(error) ?? '';
  if (ofOneItem.test(code)) return 'item';
  return code !== cancelled && isDatabaseUnavailable(error) ? 'all' : 'batch';
};
