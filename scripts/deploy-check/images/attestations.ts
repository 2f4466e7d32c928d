import type { KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../../start/data-folder.ts';
import { billOfMaterials } from '../../supply-chain/bill-of-materials.ts';
import { signed } from '../../supply-chain/provenance/envelope.ts';
import { publicPem, readPrivateKey, temporaryKey } from '../../supply-chain/provenance/keys.ts';
import { billStatement } from '../../supply-chain/provenance/statement.ts';
import type { Engine } from '../engine/bring-engine.ts';
import { runProgram } from '../engine/program.ts';
import { type Component, debianComponent, provenanceOf } from './statements.ts';

const imageSchema = z.tuple([z.object({ Id: z.string(), Created: z.string(), RepoDigests: z.array(z.string()) })]);
const billSchema = z.looseObject({ components: z.array(z.unknown()) });

export interface BuiltImage {
  readonly image: string;
  /** APP of the Dockerfile, and its other arguments. */
  readonly app: string;
  readonly args: Readonly<Record<string, string>>;
}

interface Options {
  /** For the bills of the apps, and for `images` below it. */
  readonly folder?: string;
  /** Without one, a key signs that is not kept. */
  readonly keyFile?: string | undefined;
}

/** The Debian packages of a base image. Of the minimal one: those whose libraries Node needs. */
const packagesIn = async ({ docker }: Pick<Engine, 'docker'>, base: string, isMinimal: boolean) => {
  const show = "dpkg-query --show --showformat '${Package} ${Version}\\n'";
  const wanted = isMinimal ? ' libc6 libgcc-s1 libstdc++6' : '';
  const text = await docker('run', '--rm', '--entrypoint', 'sh', base, '-c', show + wanted);
  return text.trim().split('\n').map(debianComponent);
};

const inspect = async ({ docker }: Pick<Engine, 'docker'>, image: string) =>
  imageSchema.parse(JSON.parse(await docker('image', 'inspect', image)))[0];

const git = async (...args: readonly string[]) => (await runProgram(['git', ...args], { cwd: root })).trim();

const sources = async () => {
  return { commit: await git('rev-parse', 'HEAD'), isChanged: (await git('status', '--porcelain')) !== '' };
};

const billOf = (bills: string, app: string, packages: readonly Component[]) => {
  const bill = billSchema.parse(JSON.parse(readFileSync(join(bills, `leadback-${app}.cdx.json`), 'utf8')));
  const node = { type: 'application', name: 'node', version: process.versions.node };
  return { ...bill, components: [...bill.components, node, ...packages] };
};

/** Writes a document, and the envelope of its statement beside it. */
const write = (file: string, document: object, statement: object, key: KeyObject): void => {
  writeFileSync(`${file}.json`, `${JSON.stringify(document, null, 2)}\n`);
  writeFileSync(`${file}.dsse.json`, signed(Buffer.from(JSON.stringify(statement)), key));
};

/**
 * Writes the components and the origin of each image, and both as signed statements, to files that are named after its
 * local id. Says which key has signed them.
 */
export const attest = async (
  engine: Pick<Engine, 'docker'>,
  images: readonly BuiltImage[],
  base: string,
  { folder: bills = join(root, 'sbom'), keyFile = process.env['PROVENANCE_KEY_FILE'] }: Options = {},
): Promise<string> => {
  const folder = join(bills, 'images');
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = billOfMaterials(['--split', '--out', join(bills, '%s.cdx.json')]);
  if (status !== 0) throw new Error(`pnpm cannot list the dependencies: ${stderr}`);
  const key = keyFile === undefined ? temporaryKey() : readPrivateKey(keyFile);
  const publicFile = join(folder, 'provenance.pub');
  writeFileSync(publicFile, publicPem(key));
  const origin = { ...(await sources()), base };
  const { Id: baseId, RepoDigests: baseDigests } = await inspect(engine, base);
  // a stand-in has no digest in a registry
  const baseDigest = baseDigests[0]?.split('@')[1] ?? baseId;
  for (const { image, app, args } of images) {
    const { Id: digest, Created: created } = await inspect(engine, image);
    const bill = billOf(bills, app, await packagesIn(engine, base, args['BASE'] === 'minimal'));
    const file = join(folder, `${app}@${digest.replace(':', '-')}`);
    write(`${file}.cdx`, bill, billStatement(bill, { name: image, digest }), key);
    const statement = provenanceOf({ ...origin, image, digest, created, baseDigest, args: { APP: app, ...args } });
    write(`${file}.provenance`, statement, statement, key);
  }
  const signedBy = keyFile ?? 'a temporary key, as PROVENANCE_KEY_FILE is not set';
  return `${images.length} images in ${folder}, signed with ${signedBy}; the public key is ${publicFile}`;
};
