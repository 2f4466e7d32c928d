import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { optionProblem } from './read-file-text.ts';
import { optionFlag } from './option-flag.ts';
import type { Terminal } from './terminal.ts';

/** Where secrets come from besides files. */
export interface SecretSources {
  /** The next line of standard input. */
  readonly nextLine: (name: string) => Promise<string>;
  /** What is typed on the terminal, without showing it. */
  readonly ask: (name: string) => Promise<string>;
}

type Streams = Pick<Terminal, 'stdin' | 'stderr'>;

const askOnTerminal = async ({ stdin: input, stderr }: Streams, name: string): Promise<string> => {
  if (input.isTTY !== true) {
    throw optionProblem(name, 'there is no terminal to ask on; give @ and the path of a file, or - for standard input');
  }
  stderr.write(`${optionFlag(name)} (not shown): `);
  // echoes nothing
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: nowhere, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    stderr.write('\n');
  }
};

export const secretSources = (streams: Streams): SecretSources => {
  let lines: Promise<string[]> | undefined;
  return {
    async nextLine(name) {
      lines ??= text(streams.stdin).then((all) => all.split(/\r?\n/));
      const line = (await lines).shift()?.trim() ?? '';
      if (line === '') throw optionProblem(name, 'standard input has no line for it; give one line for each -');
      return line;
    },
    ask: (name) => askOnTerminal(streams, name),
  };
};
