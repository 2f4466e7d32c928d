import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Ends with what is wrong on the command line. */
export const refuse = (reason: string): never => {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
};

/** Prints the usage and ends if the command line asks for it. */
export const helpWith = (usage: string): void => {
  if (!process.argv.includes('--help')) return;
  process.stdout.write(`${usage}\n`);
  process.exit(0);
};

/** Reads the command line. Ends with the usage on `--help`, and on anything that `config` does not have. */
export const readWords = <Config extends ParseArgsConfig>(
  config: Config,
  usage: string,
): ReturnType<typeof parseArgs<Config>> => {
  helpWith(usage);
  try {
    return parseArgs(config);
  } catch (error) {
    // the first sentence: others explain parseArgs
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    return refuse(`${reason}\n${usage}`);
  }
};

/** Reads options that each have a value. Ends with the usage on `--help`, and on an option that does not exist. */
export const readOptions = <Name extends string>(
  names: readonly Name[],
  usage: string,
  args: readonly string[] = process.argv.slice(2),
): Readonly<Partial<Record<Name, string>>> => {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
  const { values } = readWords({ args: [...args], options }, usage);
  const read: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = values[name];
    if (value !== undefined) read[name] = value;
  }
  return read;
};
