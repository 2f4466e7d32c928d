import { InvalidArgumentError, Option, Command as Program } from 'commander';
import type { Command } from './command.ts';
import type { Format } from './print-result.ts';
import type { Terminal } from './read-secrets.ts';

/** An option that is refused if it is given again, instead of losing its first value, unless it takes several or none. */
const optionOf = (flags: string, help: string): Option => {
  const option = new Option(flags, help);
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
  run: (command: Command, input: Readonly<Record<string, unknown>>, format: Format) => Promise<void>,
): Program => {
  const program = new Program('operator')
    .description('Manages accounts, connections and deliveries; checks, migrates, erases and rotates keys')
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });
  const groups = new Map<string, Program>();

  for (const command of commands) {
    const [group = '', name] = command.name.split(' ');
    const parent = groups.get(group) ?? program.command(group);
    groups.set(group, parent);
    const sub = (name === undefined ? parent : parent.command(name)).description(command.summary);
    if (command.argument) sub.argument(command.argument);
    for (const [flags, help] of command.options) sub.addOption(optionOf(flags, help));
    sub.addOption(new Option('--json', 'print JSON and nothing else').conflicts('csv'));
    sub.option('--csv', 'print CSV and nothing else');
    sub.action(async () => {
      const [id]: readonly unknown[] = sub.processedArgs;
      const { json, csv, ...options } = sub.opts();
      const format = json === true ? 'json' : csv === true ? 'csv' : 'table';
      await run(command, { ...options, ...(id !== undefined && { id }) }, format);
    });
  }
  return program;
};
