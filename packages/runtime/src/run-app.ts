import { startTracing, type TracingSettings } from '@leadback/tracing';
import type { z } from 'zod';
import { createLogger, type Logger } from './logger.ts';
import { parseEnv } from './parse-env.ts';

export interface AppDefinition<Settings> {
  readonly name: string;
  /** What the app reads from its environment. */
  readonly settings: z.ZodType<Settings>;
}

/**
 * Runs an app from reading its environment to its drained end, and sets the exit status. An environment that is not as
 * it should be is said on standard error and nothing starts. Whatever nobody caught is a bug: it is logged and ends the
 * process, so that it is started anew in a known state.
 */
export const runApp = async <Settings extends { LOG_LEVEL: string } & TracingSettings>(
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
  try {
    const tracing = await startTracing({
      app: name,
      settings,
      onDown: (error) => log.warn({ err: error }, 'the collector does not take traces; they are dropped until it does'),
      onUp: () => log.info('the collector takes traces again'),
    });
    await main(settings, log);
    await tracing[Symbol.asyncDispose]();
    process.exit(0);
  } catch (error) {
    fail(error);
  }
};
