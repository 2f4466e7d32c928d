import { openDatabase } from '@leadback/db';
import { platformRegistry } from '@leadback/platforms';
import { Option, Command as Program } from 'commander';
import type { Command, CommandOutput } from './command.ts';
import { commands } from './commands/index.ts';
import { describeError } from './describe-error.ts';
import { type Format, printResult } from './print-result.ts';
import { progressLine } from './progress-line.ts';
import { readSettings } from './settings.ts';

const execute = async ({ run }: Command, input: unknown, format: Format): Promise<CommandOutput> => {
  const settings = readSettings();
  await using database = await openDatabase({
    url: settings.DATABASE_URL,
    applicationName: 'leadback operator',
    connectionsMax: 2,
    hasNoStatementTimeout: true,
  });
  const context = {
    em: database.em(),
    pool: database.pool,
    progress: format === 'table' ? progressLine() : () => {},
    secretsKeys: settings.SECRETS_KEY,
    amqpUrl: settings.AMQP_URL,
    landingUrl: settings.LANDING_URL,
    databaseUrl: settings.DATABASE_URL,
    platforms: platformRegistry(settings),
  };
  return await run(input, context); // await: the database closes when this function returns
};

const program = new Program('npm run operator --').description('Sets up accounts and shows deliveries');
const groups = new Map<string, Program>();

for (const command of commands) {
  const [group = '', name] = command.name.split(' ');
  const parent = groups.get(group) ?? program.command(group);
  groups.set(group, parent);
  const sub = (name === undefined ? parent : parent.command(name)).description(command.summary);
  if (command.argument) sub.argument(command.argument);
  for (const [flags, help] of command.options) sub.option(flags, help);
  sub.addOption(new Option('--json', 'print JSON and nothing else').conflicts('csv'));
  sub.option('--csv', 'print CSV and nothing else');
  sub.action(async () => {
    const [id]: readonly unknown[] = sub.processedArgs;
    const { json, csv, ...options } = sub.opts();
    const format = json === true ? 'json' : csv === true ? 'csv' : 'table';
    const output = await execute(command, { ...options, ...(id !== undefined && { id }) }, format);
    process.stdout.write(`${printResult(output, format)}\n`);
    if (output.isBad) process.exitCode = 1;
  });
}

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}
