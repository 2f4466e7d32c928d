import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../../start/data-folder.ts';
import { billOfMaterials } from '../../supply-chain/bill-of-materials.ts';
import type { Engine } from '../engine/bring-engine.ts';
import { runProgram } from '../engine/program.ts';
import { type Component, debianComponent, provenanceOf } from './statements.ts';

const bills = join(root, 'sbom');
const folder = join(bills, 'images');

const imageSchema = z.tuple([z.object({ Id: z.string(), Created: z.string() })]);
const billSchema = z.looseObject({ components: z.array(z.unknown()) });

export interface BuiltImage {
  readonly image: string;
  /** APP of the Dockerfile, and its other arguments. */
  readonly app: string;
  readonly args: Readonly<Record<string, string>>;
}

/** The Debian packages of a base image. Of the minimal one: those whose libraries Node needs. */
const packagesIn = async ({ docker }: Engine, base: string, isMinimal: boolean): Promise<Component[]> => {
  const show = "dpkg-query --show --showformat '${Package} ${Version}\\n'";
  const wanted = isMinimal ? ' libc6 libgcc-s1 libstdc++6' : '';
  const text = await docker('run', '--rm', '--entrypoint', 'sh', base, '-c', show + wanted);
  return text.trim().split('\n').map(debianComponent);
};

/** Writes the components and the origin of each image to sbom/images, in files that are named after its digest. */
export const attest = async (engine: Engine, images: readonly BuiltImage[], base: string): Promise<string> => {
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = billOfMaterials(['--split', '--out', join(bills, '%s.cdx.json')]);
  if (status !== 0) throw new Error(`pnpm cannot list the dependencies: ${stderr}`);
  const commit = (await runProgram(['git', 'rev-parse', 'HEAD'], { cwd: root })).trim();
  const inspect = async (image: string) =>
    imageSchema.parse(JSON.parse(await engine.docker('image', 'inspect', image)))[0];
  const { Id: baseDigest } = await inspect(base);
  for (const { image, app, args } of images) {
    const { Id: digest, Created: created } = await inspect(image);
    const bill = billSchema.parse(JSON.parse(readFileSync(join(bills, `leadback-${app}.cdx.json`), 'utf8')));
    const node = { type: 'application', name: 'node', version: process.versions.node };
    const components = [...bill.components, node, ...(await packagesIn(engine, base, args['BASE'] === 'minimal'))];
    const file = join(folder, `${app}@${digest.replace(':', '-')}`);
    writeFileSync(`${file}.cdx.json`, JSON.stringify({ ...bill, components }));
    const origin = provenanceOf({ image, digest, created, commit, base, baseDigest, args: { APP: app, ...args } });
    writeFileSync(`${file}.provenance.json`, `${JSON.stringify(origin, null, 2)}\n`);
  }
  return `${images.length} images in ${folder}`;
};
