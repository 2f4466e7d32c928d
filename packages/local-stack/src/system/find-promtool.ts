import { join } from 'node:path';
import { runCommand } from '../processes/run-command.ts';
import { findExecutable } from './find-executable.ts';

const advice =
  'The tests of the alerts need promtool: put promtool of Prometheus on the PATH or set PROMTOOL to its path';

// unpacked and not installed: an installed Prometheus would start with the machine
const unpack = `exec 9< /var/lib/apt # as install-with-apt.sh
flock 9
apt-get download prometheus || { apt-get update && apt-get download prometheus; }
dpkg-deb --extract prometheus_*.deb .`;

/** The path in PROMTOOL, on the PATH, or of one that is unpacked from Debian's package now. */
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
