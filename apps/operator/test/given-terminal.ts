import { Readable, Writable } from 'node:stream';
import type { Terminal } from '../src/read-secrets.ts';

const collected = () => {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { stream, text: () => text };
};

export interface TestTerminal extends Terminal {
  /** What was written to standard output. */
  readonly out: () => string;
  /** What was written to standard error. */
  readonly err: () => string;
}

/** Standard input is empty, and nothing is a terminal: as in a script. */
export const givenTerminal = (env: NodeJS.ProcessEnv = {}): TestTerminal => {
  const [out, err] = [collected(), collected()];
  return { env, stdin: Readable.from([]), stdout: out.stream, stderr: err.stream, out: out.text, err: err.text };
};
