import { hash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findExecutable, findOrInstall } from '@leadback/local-stack';
import { root } from '../../start/data-folder.ts';
import { namedImages, withoutDigest } from '../../supply-chain/pinning/image-names.ts';
import type { Engine } from '../engine/bring-engine.ts';
import { inCache } from '../engine/cache-folder.ts';
import { debianMirror } from '../engine/debian-mirror.ts';
import { runProgram } from '../engine/program.ts';
import { labelOf } from './use-stand-ins.ts';

type Say = (text: string) => void;

const here = import.meta.dirname;
const npm = 'npm@11';

/** Imports a small Debian as an image, once. */
const debian = async ({ docker, tryDocker }: Engine, suite: 'bookworm' | 'trixie', say: Say): Promise<void> => {
  const image = `leadback-check/debian:${suite}`;
  if ((await tryDocker('image', 'inspect', image)).status === 0) return;
  say(`Making the base system ${image} with debootstrap (75 s) …`);
  await findOrInstall({
    find: () => findExecutable(['debootstrap']),
    packageNames: ['debootstrap'],
    announcement: 'Installing debootstrap with apt-get …',
    advice:
      'no registry answers, and images can be made here on Debian alone: run deploy:check where docker pull works',
    log: say,
  });
  const folder = join(inCache('systems'), suite);
  await runProgram(['sh', join(here, 'make-root.sh'), suite, folder, await debianMirror()]);
  const file = `${folder}.tar`;
  await runProgram(['tar', '-C', folder, '-cf', file, '.']);
  await docker('import', file, image);
  rmSync(folder, { recursive: true });
  rmSync(file);
};

/** A build context with the Node of this workspace and npm. */
const nodeContext = async (): Promise<string> => {
  const folder = inCache('systems', 'node');
  copyFileSync(join(root, 'node_modules', 'node', 'bin', 'node'), join(folder, 'node'));
  mkdirSync(join(folder, 'npm'), { recursive: true });
  const packed = await runProgram(['npm', 'pack', '--silent', '--pack-destination', folder, npm]);
  const archive = join(folder, packed.trim());
  await runProgram(['tar', '-xzf', archive, '-C', join(folder, 'npm'), '--strip-components=1']);
  rmSync(archive);
  return folder;
};

const standIns = {
  node: { suite: 'bookworm', file: 'node.Dockerfile', context: nodeContext },
  postgres: { suite: 'trixie', file: 'postgres.Dockerfile', context: async () => here },
  rabbitmq: { suite: 'trixie', file: 'rabbitmq.Dockerfile', context: async () => here },
  haproxy: { suite: 'trixie', file: 'haproxy.Dockerfile', context: async () => here },
  pgbouncer: { suite: 'trixie', file: 'pgbouncer.Dockerfile', context: async () => here },
  prometheus: { suite: 'trixie', file: 'prometheus.Dockerfile', context: async () => here },
} as const;

const standInOf = (image: string) => {
  const name = /([^/:]+):/.exec(image)?.[1];
  return Object.entries(standIns).find(([key]) => key === name)?.[1];
};

/** Changes with the files that a stand-in is made of. */
const versionOf = (standIn: ReturnType<typeof standInOf>): string => {
  const name = standIn?.file.replace('.Dockerfile', '') ?? '';
  const files = readdirSync(here).filter((file) => file === 'make-root.sh' || file.startsWith(name));
  return hash('sha256', files.map((file) => readFileSync(join(here, file), 'utf8')).join('')).slice(0, 12);
};

/** How the image came here, or `missing`: Debian has no Grafana. */
export type Origin = 'pulled' | 'stand-in' | 'missing';

/** Brings the images that ours are built of and run beside: from a registry, or stand-ins made of Debian's packages. */
export const bringBaseImages = async (engine: Engine, say: Say): Promise<ReadonlyMap<string, Origin>> => {
  const { docker, tryDocker } = engine;
  const origins = new Map<string, Origin>();
  let isRegistryThere = true;
  for (const image of new Set(namedImages(root).map((one) => one.image))) {
    if ((await labelOf(engine, image)) === '') {
      origins.set(image, 'pulled');
      continue;
    }
    const tag = withoutDigest(image);
    if ((await labelOf(engine, tag)) === versionOf(standInOf(image))) {
      origins.set(image, 'stand-in');
      continue;
    }
    if (isRegistryThere) {
      say(`Pulling ${image} …`);
      isRegistryThere = (await tryDocker('pull', '--quiet', image)).status === 0;
    }
    const standIn = isRegistryThere ? undefined : standInOf(image);
    if (standIn) {
      await debian(engine, standIn.suite, say);
      say(`No registry: making a stand-in for ${image} of Debian's packages …`);
      const file = join(here, standIn.file);
      await docker(
        'build',
        '--label',
        `leadback.stand-in=${versionOf(standIn)}`,
        '--tag',
        tag,
        '--file',
        file,
        await standIn.context(),
      );
    }
    origins.set(image, isRegistryThere ? 'pulled' : standIn ? 'stand-in' : 'missing');
  }
  return origins;
};
