import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inheritedEnvironment, runCommand } from '@leadback/local-stack';
import { inject } from 'vitest';

const repository = join(import.meta.dirname, '..', '..');
const git = async (...args: string[]) => (await runCommand(['git', '-C', repository, ...args])).trim();

/** The last tag; without tags, the version of sixty commits ago. */
const earlierVersion = async (): Promise<string> =>
  process.env['EARLIER_VERSION'] ??
  (await git('describe', '--tags', '--abbrev=0').catch(() => git('rev-parse', '--short', 'HEAD~60')));

/** The sources of an earlier version, with its dependencies. */
export const givenEarlierVersion = async (): Promise<{ readonly version: string; readonly root: string }> => {
  const version = await earlierVersion();
  const root = await mkdtemp(join(inject('temporaryFolder'), 'earlier-'));
  await git('clone', '--quiet', '--shared', '--no-checkout', repository, root);
  await runCommand(['git', '-C', root, 'checkout', '--quiet', '--detach', await git('rev-parse', version)]);
  // any task installs what is missing
  await runCommand([process.execPath, 'scripts/run.mjs', 'operator', '--help'], {
    cwd: root,
    env: inheritedEnvironment(),
  });
  return { version, root };
};
