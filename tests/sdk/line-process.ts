import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** A process that answers each line of its standard input with a line. */
export interface LineProcess extends AsyncDisposable {
  ask(line: string): Promise<string>;
}

/** It ends when its standard input ends, at the latest with this process. */
export const lineProcess = ([program = '', ...args]: readonly string[]): LineProcess => {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const complaints = text(child.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (line) => {
      child.stdin.write(`${line}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${program} ${args.join(' ')}: ${await complaints}`);
      return value;
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await ended;
    },
  };
};
