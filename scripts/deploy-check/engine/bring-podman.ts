import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findExecutable, findOrInstall } from '@leadback/local-stack';
import { inCache } from './cache-folder.ts';
import { type Ended, runProgram, tryProgram } from './program.ts';

export interface Podman extends AsyncDisposable {
  /** Runs podman with storage of its own. Throws if it fails. */
  readonly podman: (args: readonly string[]) => Promise<string>;
  readonly tryPodman: (args: readonly string[]) => Promise<Ended>;
}

// the engine of other settings of the machine would not run everywhere: no systemd, mixed versions of cgroups
const configuration = `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
`;

/** Podman plays Kubernetes' manifests without a cluster. Disposing removes its containers and images. */
export const bringPodman = async (say: (text: string) => void): Promise<Podman> => {
  await findOrInstall({
    find: () => findExecutable(['catatonit']) && findExecutable(['podman']),
    packageNames: ['podman', 'runc', 'iptables', 'netavark', 'aardvark-dns', 'catatonit'],
    announcement: 'Installing podman with apt-get (60 MB) …',
    advice:
      'the manifests of Kubernetes are played by podman: install it (Debian: apt-get install podman runc catatonit)',
    log: say,
  });
  const folder = inCache('podman');
  const file = join(folder, 'containers.conf');
  writeFileSync(file, configuration);
  const env = { ...process.env, CONTAINERS_CONF: file };
  const command = ['podman', '--root', inCache('podman', 'data'), '--runroot', inCache('podman', 'run')] as const;
  const tryPodman = (args: readonly string[]) => tryProgram([...command, ...args], { env });
  const clear = async () => {
    await tryPodman(['pod', 'rm', '--all', '--force', '--time', '5']);
    await tryPodman(['volume', 'rm', '--all', '--force']);
    await tryPodman(['secret', 'rm', '--all']);
    await tryPodman(['image', 'rm', '--all', '--force']);
  };
  await clear(); // what a killed run left
  return {
    podman: (args) => runProgram([...command, ...args], { env }),
    tryPodman,
    [Symbol.asyncDispose]: clear,
  };
};
