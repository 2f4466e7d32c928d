/** A limit for what hangs, not for what is slow on a busy machine; less than that of a test, so that the error tells what was waited for. */
export const waitMaxMs = 120_000;
