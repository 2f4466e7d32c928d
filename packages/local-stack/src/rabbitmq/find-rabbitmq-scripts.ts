import { dirname } from 'node:path';
import { findExecutable, pathFolders } from '../system/find-executable.ts';

// the commands on the PATH of Debian and Red Hat switch to another user; these are the scripts behind them
const behindWrappers = '/usr/lib/rabbitmq/bin';
const homebrew = ['/opt/homebrew/sbin', '/usr/local/sbin']; // often not on PATH

/** The folder of rabbitmq-server and rabbitmqctl; undefined if they are not installed. */
export const findRabbitmqScripts = (): string | undefined => {
  const server = findExecutable(['rabbitmq-server'], [behindWrappers, ...pathFolders(), ...homebrew]);
  return server && dirname(server);
};
