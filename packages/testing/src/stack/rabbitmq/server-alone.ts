import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { privately } from '../private-files.ts';

/**
 * Makes a folder of plugins that has only the server itself, which is one of them. Leadback uses no other, and to read all
 * that come with RabbitMQ is a fifth of the work of a start. Returns undefined if the server is not where it usually is.
 */
export const serverAlone = (scripts: string, dir: string): string | undefined => {
  const home = dirname(dirname(realpathSync(join(scripts, 'rabbitmq-server'))));
  const [server] = globSync(join(home, 'plugins', 'rabbit-[0-9]*'));
  if (server === undefined) return undefined;
  const folder = join(dir, 'plugins');
  rmSync(folder, { recursive: true, force: true }); // of another version
  // a copy: a link could be seen by others, unlike all else in the folder
  privately(() => {
    mkdirSync(folder);
    execFileSync('cp', ['-R', server, folder]);
  });
  return folder;
};
