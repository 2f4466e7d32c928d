import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const logger = new URL('./logger.ts', import.meta.url).href;

/** The messages that a process has logged when it has ended. */
const logged = async (work: string): Promise<unknown[]> => {
  const script = `import { createLogger } from '${logger}'; const log = createLogger('test', 'info'); ${work}`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return Array.from(stdout.matchAll(/"msg":"(.*)"\}\n/g), ([, message]) => message);
};

const messages = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);
const logAll = 'for (let index = 0; index < 1000; index += 1) log.info(`line ${index}`);';

describe('the log of an app', () => {
  it('has all lines in order when the process ends by itself', async () => {
    expect(await logged(logAll)).toEqual(messages(1000));
  });

  it('has all lines in order when the process exits after a flush', async () => {
    expect(await logged(`${logAll} log.flush(); process.exit(0);`)).toEqual(messages(1000));
  });

  it('has the fatal line of a process that exits right after it', async () => {
    expect(await logged(`log.info('before'); log.fatal('failed'); process.exit(0);`)).toEqual(['before', 'failed']);
  });
});
