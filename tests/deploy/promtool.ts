import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPromtool } from '@leadback/testing/stack';
import { inject } from 'vitest';

/** What promtool prints, to both outputs. Throws if it reports an error. */
export const promtool = async (...args: readonly string[]): Promise<string> => {
  // one for all files of the run
  const path = await findPromtool(join(inject('temporaryFolder'), 'promtool'));
  // it ends soon: a fifth of its time went into collecting garbage
  const { stdout, stderr } = await promisify(execFile)(path, args, { env: { ...process.env, GOGC: '400' } });
  return stdout + stderr;
};
