import { parseArgs, type ParseArgsConfig } from 'node:util';
import { nearestName } from '@leadback/domain';

/** Ends with what is wrong on the command line. */
export const refuse = (reason: string): never => {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
};

const hintFor = (reason: string, { options = {} }: ParseArgsConfig): string => {
  const typed = /^Unknown option '--?([^'=]+)/.exec(reason)?.[1];
  const nearest = typed && nearestName(typed, [...Object.keys(options), 'help']);
  return nearest ? `; did you mean --${nearest}?` : '';
};

/** Reads the command line. Ends with the usage on `--help`, and on anything that `config` does not have. */
export const readWords = <Config extends ParseArgsConfig>(
  config: Config,
  usage: string,
): ReturnType<typeof parseArgs<Config>> => {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    // the first sentence: others explain parseArgs
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    return refuse(`${reason}${hintFor(reason, config)}\n${usage}`);
  }
};
