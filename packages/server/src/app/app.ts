import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type KeyedApp, type SecretsKeys, warningOfAllKeys } from '@leadback/domain/keys';
import { startTracing, type TracingSettings, tracingSettings } from '../trace/index.ts';
import { createLogger, type Logger } from './logger.ts';
import { withBrokerPassword } from './server-settings.ts';

/**
 * Reads settings from the environment. Returns an error text that lists every missing or invalid setting, if there is
 * one.
 */
export const parseEnv = <Settings extends object>(
  schema: z.ZodType<Settings>,
  env: NodeJS.ProcessEnv = process.env,
): Settings | string => {
  const { success, data, error } = schema.safeParse(withBrokerPassword(env));
  return success ? data : `invalid environment:\n${z.prettifyError(error)}`;
};

interface AppDefinition<Settings> {
  readonly name: KeyedApp;
  readonly settings: z.ZodType<Settings>;
}

/**
 * Runs an app until it has drained, and sets the exit status. An invalid environment is reported on standard error,
 * and nothing starts. An uncaught error is a bug: it is logged and ends the process, so that it restarts in a known
 * state.
 */
export const runApp = async <Settings extends { LOG_LEVEL: string; SECRETS_KEY: SecretsKeys } & TracingSettings>(
  { name, settings: schema }: AppDefinition<Settings>,
  main: (settings: Settings, log: Logger) => Promise<void>,
): Promise<void> => {
  const settings = parseEnv(schema);
  if (typeof settings === 'string') {
    process.stderr.write(`${name}: ${settings}\n`);
    process.exit(1);
  }
  const log = createLogger(name, settings.LOG_LEVEL);
  const fail = (error: unknown) => {
    log.fatal({ err: error }, `${name} failed`);
    process.exit(1);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  const warning = warningOfAllKeys(name, settings.SECRETS_KEY);
  if (warning !== undefined) log.warn(warning);
  try {
    const tracing = await startTracing({
      app: name,
      settings,
      onDown: (error) => log.warn({ err: error }, 'trace collector unavailable; dropping traces'),
      onUp: () => log.info('trace collector available'),
    });
    await main(settings, log);
    await tracing[Symbol.asyncDispose]();
    process.exit(0);
  } catch (error) {
    fail(error);
  }
};

export const portSchema = z.coerce.number().int().min(1).max(65_535);

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The settings of every app: the shape of a zod object, to spread into the schema of an app. */
export const appSettings = (operationsPort: number) => ({
  HOST: z.string().default('0.0.0.0').describe('The address to listen on; `127.0.0.1`: this machine only'),
  OPERATIONS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('The address of the operations port. The images set `0.0.0.0`'),
  OPERATIONS_PORT: portSchema
    .default(operationsPort)
    .describe('Serves `/health`, `/ready` and `/metrics`: keep it internal'),
  LOG_LEVEL: z
    .enum(logLevels)
    .default('info')
    .meta({ description: `One of ${logLevels.join(', ')}`, isUsual: true }),
  ...tracingSettings,
});

/** Resolves on the first SIGTERM or SIGINT. Later signals change nothing: shutdown has a time limit. */
export const stopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal));
  });

interface Repetition {
  readonly everyMs: number;
  /** Returns whether to start the next round at once. */
  readonly round: () => Promise<boolean>;
  readonly onFailure: (error: unknown) => void;
}

/** Runs rounds until disposed. After a failed round, it pauses as usual. */
export const repeat = ({ everyMs, round, onFailure }: Repetition): AsyncDisposable => {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const isMore = await round().catch((error: unknown) => {
        onFailure(error);
        return false;
      });
      if (!isMore) await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
};
