import { type KeyedApp, type SecretsKeys, warningOfAllKeys } from '@leadback/secrets';
import { startTracing, type TracingSettings } from '@leadback/tracing';
import type { z } from 'zod';
import { createLogger, type Logger } from './logger.ts';
import { parseEnv } from './parse-env.ts';

export interface AppDefinition<Settings> {
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
