import { join } from 'node:path';
import { runCommand } from '../processes/run-command.ts';
import { findExecutable } from './find-executable.ts';

const advice =
  'The tests of the alerts need promtool: put the one of Prometheus on the PATH or set PROMTOOL to the path of one';

// unpacked and not installed: nobody wants a Prometheus to start with the machine
const unpack = `exec 9< /var/lib/apt # as install-with-apt.sh
flock 9
apt-get download prometheus || { apt-get update && apt-get download prometheus; }
dpkg-deb --extract prometheus_*.deb .`;

/** The path of a promtool: the one that PROMTOOL names, one that is there, or one that is unpacked now from Debian's packages. */
export const findPromtool = async (folder: string): Promise<string> => {
  const present = process.env['PROMTOOL'] || findExecutable(['promtool']);
  if (present) return present;
  try {
    await runCommand(['sh', '-ec', `cd "$1"\n${unpack}`, 'sh', folder]);
    return join(folder, 'usr', 'bin', 'promtool');
  } catch (error) {
    throw new Error(`${advice}. (${String(error)})`, { cause: error });
  }
};
