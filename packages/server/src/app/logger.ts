import { type Logger, pino } from 'pino';
import { gatheredOutput } from './gathered-output.ts';

export type { Logger };

interface LoggedError {
  readonly type: string;
  readonly code?: string;
  readonly message?: string;
  readonly at: readonly string[];
  readonly cause?: LoggedError;
}

const framesOf = ({ stack = '' }: Error) =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .map((line) => line.trim());

/**
 * The logged part of an error. Its own properties are left out: in errors of got, pg and the ORM they hold requests
 * and parameters. Messages of database errors are left out too, because they quote values; the code says what
 * happened.
 */
export const loggedError = (error: unknown): LoggedError => {
  if (!(error instanceof Error)) return { type: typeof error, at: [] };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const quotesValues = error.name.endsWith('Exception') || /^[0-9A-Z]{5}$/.test(code ?? '');
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    ...(quotesValues ? {} : { message: error.message }),
    at: framesOf(error),
    ...(error.cause === undefined ? {} : { cause: loggedError(error.cause) }),
  };
};

/** Returns the time field of a log line for pino. Lines of one millisecond share its text. */
export const loggedTime = (nowMs: () => number = Date.now): (() => string) => {
  let [writtenMs, text] = [Number.NaN, ''];
  return () => {
    const ms = nowMs();
    if (ms !== writtenMs) [writtenMs, text] = [ms, `,"time":"${new Date(ms).toISOString()}"`];
    return text;
  };
};

/** JSON lines on standard output, each with `app`, at most ten milliseconds late. */
export const createLogger = (app: string, level: string): Logger =>
  pino(
    {
      level,
      base: { app },
      timestamp: loggedTime(),
      serializers: { err: loggedError },
      formatters: { level: (label) => ({ level: label }) },
    },
    // synchronous: an asynchronous write waits behind other work in Node's thread pool, and is lost at `kill -9`
    gatheredOutput(pino.destination({ sync: true })),
  );
