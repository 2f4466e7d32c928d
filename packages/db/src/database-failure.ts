const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
};

/**
 * Whether the server understood the statement and refused its data (SQLSTATE classes 21, 22, 23 and 54): another try
 * would fail alike, and of a group of items one alone may be the cause.
 */
export const isDataRefused = (error: unknown): boolean => /^(21|22|23|54)...$/.test(codeOf(error) ?? '');

// node's own codes, then SQLSTATE: connection, transaction rolled back, no resources, operator intervention, system
// error, read-only standby
const passingCode =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|(08|40|53|57|58)...|25006)$/;
// what pg says without a code
const passingMessage = /timeout|Connection terminated|not queryable/;

/** Whether the database cannot be reached or cannot serve now, so that the same statement may succeed later. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === undefined ? passingMessage.test(error.message) : passingCode.test(code);
};
