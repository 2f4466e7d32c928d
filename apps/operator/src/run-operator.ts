import { userInfo } from 'node:os';
import { openDatabase } from '@leadback/db';
import { platformRegistry } from '@leadback/platforms';
import { CommanderError } from 'commander';
import type { Command, CommandOutput } from './command.ts';
import { commands } from './commands/index.ts';
import { describeError } from './describe-error.ts';
import { entities } from './entities.ts';
import { type Format, printResult } from './print-result.ts';
import { createProgram } from './program.ts';
import { progressBar, progressLine } from './progress.ts';
import { readSettings } from './settings.ts';
import type { Terminal } from './read-secrets.ts';

interface Typed {
  readonly command: Command;
  readonly input: unknown;
  readonly format: Format;
}

const execute = async (
  { command: { runOffline, run }, input, format }: Typed,
  { env, stdin, stderr }: Terminal,
): Promise<CommandOutput> => {
  const actor = `operator ${userInfo().username}`;
  const offline = await runOffline(input, { env, stderr, actor });
  if (offline) return offline;
  const settings = readSettings(env);
  await using database = await openDatabase({
    url: settings.DATABASE_URL,
    applicationName: 'leadback operator',
    connectionsMax: 2,
    hasNoStatementTimeout: true,
    connectionMaxMs: 15_000, // a busy server is not one that is down
    followsPromotions: true,
    allowsStandby: true,
    entities,
  });
  const progress = format === 'table' ? progressLine(stderr) : () => {};
  const context = {
    env,
    stdin,
    stderr,
    em: database.em(),
    actor,
    pool: database.pool,
    progress,
    progressBar: format === 'table' ? progressBar({ terminal: stderr, line: progress }) : () => {},
    secretsKeys: settings.SECRETS_KEY,
    amqpUrl: settings.AMQP_URL,
    landingUrl: settings.LANDING_URL,
    apiUrl: settings.API_URL,
    consoleUrl: settings.CONSOLE_URL,
    alertmanagerUrl: settings.ALERTMANAGER_URL,
    databaseUrl: settings.DATABASE_URL,
    backupsKeptDays: settings.BACKUPS_KEPT_DAYS,
    platforms: platformRegistry(settings),
  };
  return await run(input, context); // await: the database closes when this function returns
};

/** Runs the command that these words name; returns the exit status. */
export const runOperator = async (words: readonly string[], terminal: Terminal): Promise<number> => {
  let status = 0;
  const program = createProgram(commands, terminal, async (command, input, format, isWide) => {
    const output = await execute({ command, input, format }, terminal);
    // as wide as a terminal is by default, if the output goes to a file
    const screen = { columns: terminal.stdout.columns ?? 80, isWide, now: new Date() };
    terminal.stdout.write(`${printResult(output, format, screen)}\n`);
    if (output.isBad) status = 1;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return status;
  } catch (error) {
    // it has written its message, or the help
    if (error instanceof CommanderError) return error.exitCode;
    terminal.stderr.write(`${describeError(error)}\n`);
    return 1;
  }
};
