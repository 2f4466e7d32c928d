import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { z } from 'zod';
import { opened } from '../../supply-chain/provenance/envelope.ts';
import { readPublicKey, writeKeys } from '../../supply-chain/provenance/keys.ts';
import { statementAbout } from '../../supply-chain/provenance/statement.ts';
import { attest } from './attestations.ts';

const id = (digit: string) => `sha256:${digit.repeat(64)}`;
const base = 'node:24';
const ids = new Map([
  [base, id('b')],
  ['api:local', id('1')],
  ['sandbox:local', id('2')],
]);
const images = [
  { image: 'api:local', app: 'api', args: {} },
  { image: 'sandbox:local', app: 'platform-sandbox', args: { BASE: 'minimal' } },
];

/** Stands in for docker. `baseDigests`: RepoDigests of the base image. */
const engine = (...baseDigests: readonly string[]) => ({
  docker: async (...args: readonly string[]) => {
    if (args[0] === 'run') return 'libc6 2.36-9+deb12u14\n';
    const image = args.at(-1) ?? '';
    const digests = image === base ? baseDigests : [];
    return JSON.stringify([{ Id: ids.get(image), Created: '2026-01-01', RepoDigests: digests }]);
  },
});

const newFolder = () => mkdtemp(join(inject('temporaryFolder'), 'attestations-'));

const predicateSchema = z.object({
  buildDefinition: z.object({ resolvedDependencies: z.array(z.looseObject({ digest: z.unknown() })) }),
});

it('each image, also the sandbox, has a signed bill of materials and a signed provenance about its local id', async () => {
  const folder = await newFolder();
  const { privateFile, publicFile } = writeKeys(folder);
  expect(await attest(engine(), images, base, { folder, keyFile: privateFile })).toContain(
    `signed with ${privateFile}; `,
  );
  for (const { app, image } of images) {
    const digest = ids.get(image) ?? '';
    for (const [part, type] of Object.entries({ cdx: 'sbom', provenance: 'provenance' })) {
      const file = join(folder, 'images', `${app}@${digest.replace(':', '-')}.${part}`);
      expect(existsSync(`${file}.json`)).toBe(true);
      const payload = opened(readFileSync(`${file}.dsse.json`, 'utf8'), readPublicKey(publicFile));
      expect(statementAbout(payload, digest, type).subject).toEqual([
        { name: image, digest: { sha256: digest.slice('sha256:'.length) } },
      ]);
    }
  }
});

it('without a key, a temporary one signs, and says so', async () => {
  const folder = await newFolder();
  expect(await attest(engine(), images, base, { folder })).toContain(
    'a temporary key, as PROVENANCE_KEY_FILE is not set',
  );
  const key = readPublicKey(join(folder, 'images', 'provenance.pub'));
  const envelopes = globSync('images/*.dsse.json', { cwd: folder });
  expect(envelopes).toHaveLength(4);
  for (const file of envelopes) opened(readFileSync(join(folder, file), 'utf8'), key);
});

it.each([
  ['the digest of a base image that was pulled', [`node@${id('c')}`], 'c'],
  ['the local id of a base image that no registry has', [], 'b'],
])('a provenance names %s', async (_name, baseDigests, digit) => {
  const folder = await newFolder();
  await attest(engine(...baseDigests), images.slice(0, 1), base, { folder });
  const [file = ''] = globSync('images/api@*.provenance.json', { cwd: folder });
  const { predicate } = z
    .object({ predicate: predicateSchema })
    .parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
  expect(predicate.buildDefinition.resolvedDependencies.at(-1)).toEqual({
    name: base,
    digest: { sha256: digit.repeat(64) },
  });
});
