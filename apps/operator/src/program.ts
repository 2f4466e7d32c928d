import { InvalidArgumentError, Option, Command as Program } from 'commander';
import type { Command } from './command.ts';
import type { Format } from './print-result.ts';
import type { Terminal } from './read-secrets.ts';

/** What the words of a group are about. */
const groupSummaries: Readonly<Record<string, string>> = {
  account: 'accounts: the advertisers whose sales are reported',
  audit: 'who did what',
  backup: 'backups of the database',
  cell: 'several installations beside each other',
  client: 'people: erase their data, or let them be registered again',
  connection: 'connections of an account to ad platforms',
  database: 'the schema of the database',
  delivery: 'what platforms were told of each sale; retry what failed',
  domain: 'domains of accounts, under which landing shows their pages',
  import: 'files of sales',
  key: 'API keys',
  lead: 'buffered leads of landing apps',
  page: 'landing pages',
  platforms: 'ad platforms: whether they still respond as expected',
  receipt: 'receipts of erasures',
  retention: 'for how long data are kept',
  source: 'shops and services from which sales come',
  secrets: 'the keys that encrypt credentials and contact data',
  user: 'people who use the console',
  webhook: 'webhooks that tell a partner of its deliveries',
};

/** An option that is refused if it is given again, instead of losing its first value, unless it takes several or none. */
const optionOf = (flags: string, help: string): Option => {
  const option = new Option(flags, flags.startsWith('--account ') ? `${help}; its id or its name` : help);
  if (option.variadic || !(option.required || option.optional)) return option;
  return option.argParser((value, earlier) => {
    if (earlier !== undefined) throw new InvalidArgumentError('This option is given twice; give it once.');
    return value;
  });
};

/**
 * The command line. `run` is called with the parsed options of a command, and its argument as `id`. Parsing throws a
 * CommanderError after it has written help, or what is wrong with the words.
 */
export const createProgram = (
  commands: readonly Command[],
  { stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>,
  run: (command: Command, input: Readonly<Record<string, unknown>>, format: Format, isWide: boolean) => Promise<void>,
): Program => {
  const program = new Program('operator')
    .description('Manages accounts, connections and deliveries; checks, migrates, erases and rotates keys')
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });
  const groups = new Map<string, Program>();

  for (const command of commands) {
    const [group = '', name] = command.name.split(' ');
    const parent = groups.get(group) ?? program.command(group).description(groupSummaries[group] ?? '');
    groups.set(group, parent);
    const sub = (name === undefined ? parent : parent.command(name)).description(command.summary);
    if (command.argument) sub.argument(command.argument);
    for (const [flags, help] of command.options) sub.addOption(optionOf(flags, help));
    sub.addOption(new Option('--json', 'print JSON and nothing else').conflicts('csv'));
    sub.option('--csv', 'print CSV and nothing else');
    sub.option('--wide', 'all columns of a table, and times in full');
    sub.action(async () => {
      const [id]: readonly unknown[] = sub.processedArgs;
      const { json, csv, wide, ...options } = sub.opts();
      const format = json === true ? 'json' : csv === true ? 'csv' : 'table';
      await run(command, { ...options, ...(id !== undefined && { id }) }, format, wide === true);
    });
  }
  return program;
};
