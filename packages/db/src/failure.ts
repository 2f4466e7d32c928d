import type { FailureScope } from './batch.ts';

/** PostgreSQL has sent nothing for too long while it owed a response. */
export class QueryTimeout extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('PostgreSQL did not respond in time');
  }
}

/** Node's own code or the SQLSTATE of an error; undefined if it has none. */
export const databaseErrorCode = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return databaseErrorCode(error.cause);
};

// node's own codes, then SQLSTATE classes: connection, transaction rollback, insufficient resources, operator
// intervention, system error, read-only standby, idle-in-transaction timeout, lock timeout
const passingCode =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|(08|40|53|57|58)...|25006|25P03|55P03)$/;
// what Node.js and OpenSSL say about a certificate: an expired one is replaced soon
const certificateCode = /^ERR_TLS_|CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$/;
// messages of pg that have no code
const passingMessage = /timeout|Connection terminated|not queryable|does not support SSL/;

/** Whether PostgreSQL is unreachable or cannot serve now, so that the same statement may succeed later. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = databaseErrorCode(error);
  return code === undefined ? passingMessage.test(error.message) : passingCode.test(code) || certificateCode.test(code);
};

/** SQLSTATE 42501. */
export const isPermissionDenied = (error: unknown): boolean => databaseErrorCode(error) === '42501';

/** Whether a statement failed because of its data, and always will (SQLSTATE classes 22 and 23). */
export const isDataError = (error: unknown): boolean => /^(22|23)...$/.test(databaseErrorCode(error) ?? '');

/** Whether a lock timed out (SQLSTATE 55P03) because the table or the row is in use. */
export const isLockTimeout = (error: unknown): boolean => databaseErrorCode(error) === '55P03';

/** Whether a statement was cancelled, mostly after `statement_timeout` (SQLSTATE 57014). The next one may not be. */
export const isStatementTimeout = (error: unknown): boolean => databaseErrorCode(error) === '57014';

/** Whether a statement got no response in time: PostgreSQL is slow, or gone. */
export const isQueryTimeout = (error: unknown): boolean => error instanceof QueryTimeout;

// the data of one item (classes 21, 22, 23, 54), or a serialization conflict that a single item may avoid (40)
const ofOneItem = /^(21|22|23|40|54)...$/;

/** What a failed statement of a batch rejects, see `BatchOptions`. */
export const failureScopeOf = (error: unknown): FailureScope => {
  const code = databaseErrorCode(error) ?? '';
  if (ofOneItem.test(code)) return 'item';
  // mostly the row of one item is locked, and rarely the whole table
  if (isLockTimeout(error) || isStatementTimeout(error)) return 'blocked';
  return isDatabaseUnavailable(error) ? 'all' : 'batch';
};
