// limits for what hangs, not for what is slow on a busy machine

/** For one wait: less than for a test, so that the error tells what was waited for. */
export const waitMaxMs = 120_000;

/** For a test that does not take long by itself. */
export const testMaxMs = 600_000;
