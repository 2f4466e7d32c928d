import { userInfo } from 'node:os';
import { openDatabase } from '@leadback/db';
import { platformRegistry } from '@leadback/platforms';
import type { Command, CommandOutput } from './command.ts';
import { commands } from './commands/index.ts';
import { describeError } from './describe-error.ts';
import { type Format, printResult } from './print-result.ts';
import { createProgram } from './program.ts';
import { progressBar } from './progress-bar.ts';
import { progressLine } from './progress-line.ts';
import { readSettings } from './settings.ts';

const execute = async ({ runOffline, run }: Command, input: unknown, format: Format): Promise<CommandOutput> => {
  const offline = await runOffline(input);
  if (offline) return offline;
  const settings = readSettings();
  await using database = await openDatabase({
    url: settings.DATABASE_URL,
    applicationName: 'leadback operator',
    connectionsMax: 2,
    hasNoStatementTimeout: true,
  });
  const progress = format === 'table' ? progressLine() : () => {};
  const context = {
    em: database.em(),
    actor: `operator ${userInfo().username}`,
    pool: database.pool,
    progress,
    progressBar: format === 'table' ? progressBar({ terminal: process.stderr, line: progress }) : () => {},
    secretsKeys: settings.SECRETS_KEY,
    amqpUrl: settings.AMQP_URL,
    landingUrl: settings.LANDING_URL,
    consoleUrl: settings.CONSOLE_URL,
    databaseUrl: settings.DATABASE_URL,
    backupsKeptDays: settings.BACKUPS_KEPT_DAYS,
    platforms: platformRegistry(settings),
  };
  return await run(input, context); // await: the database closes when this function returns
};

const program = createProgram(commands, async (command, input, format) => {
  const output = await execute(command, input, format);
  process.stdout.write(`${printResult(output, format)}\n`);
  if (output.isBad) process.exitCode = 1;
});

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}
