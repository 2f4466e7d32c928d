import { globSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

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
  mkdirSync(folder);
  symlinkSync(server, join(folder, basename(server)));
  return folder;
};
