import { createInterface } from 'node:readline/promises';
import type { OperatorContext } from './command.ts';

export type Streams = Pick<OperatorContext, 'stdin' | 'stderr'>;

/** Asks the person at the terminal. */
export const ask = async (question: string, { stdin, stderr }: Streams): Promise<string> => {
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
};

/** Whether the person at the terminal says yes. Anything else is a no. */
export const isAgreed = async (question: string, streams: Streams): Promise<boolean> =>
  /^y(es)?$/i.test((await ask(`${question} [y/N] `, streams)).trim());
