import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { runScript } from './run-task.ts';

const local = `sha256:${'1'.repeat(64)}`;
const pushed = `sha256:${'2'.repeat(64)}`;
const statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: 'leadback-api:local', digest: { sha256: '1'.repeat(64) } }],
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: { buildDefinition: {} },
};

const encoded = (payload: object) => Buffer.from(JSON.stringify(payload)).toString('base64');

const provenance = (...args: readonly string[]) => runScript('provenance', ...args);

/** Keys, a statement and a bill of materials in a folder. */
const givenFiles = async () => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'provenance-'));
  const inFolder = (name: string) => join(folder, name);
  expect(await provenance('keys', '--out', folder)).toMatchObject({ status: 0 });
  await writeFile(inFolder('api.json'), JSON.stringify(statement));
  await writeFile(inFolder('bill.json'), JSON.stringify({ bomFormat: 'CycloneDX', components: [] }));
  const sign = (file: string, ...args: readonly string[]) =>
    provenance('sign', '--file', inFolder(file), '--key', inFolder('provenance.key'), ...args);
  const verify = (file: string, digest: string, ...args: readonly string[]) =>
    provenance('verify', '--file', inFolder(file), '--key', inFolder('provenance.pub'), '--digest', digest, ...args);
  return { folder, inFolder, sign, verify };
};

describe('npm run provenance', () => {
  it('a signed statement is verified with the public key and the digest of the image', async () => {
    const { sign, verify } = await givenFiles();
    const { status, output } = await sign('api.json');
    expect({ status, output }).toMatchObject({ status: 0, output: expect.stringContaining('BEGIN PUBLIC KEY') });
    expect(await verify('api.dsse.json', local, '--type', 'provenance')).toEqual({
      status: 0,
      output: `correct: https://slsa.dev/provenance/v1 of leadback-api:local ${local}\n`,
    });
  });

  it('keys create their folder, which only the account of the build can open', async () => {
    const folder = join(await mkdtemp(join(inject('temporaryFolder'), 'keys-')), 'of-the-build');
    expect(await provenance('keys', '--out', folder)).toMatchObject({ status: 0 });
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'provenance.key'))).mode & 0o777).toBe(0o600);
  });

  it('only the account of the build can read the private key, and keys never replace keys', async () => {
    const { folder, inFolder } = await givenFiles();
    const before = await readFile(inFolder('provenance.key'), 'utf8');
    expect((await stat(inFolder('provenance.key'))).mode & 0o777).toBe(0o600);
    expect(await provenance('keys', '--out', folder)).toMatchObject({
      status: 1,
      output: expect.stringContaining('Pass a folder without keys: --out FOLDER'),
    });
    expect(await readFile(inFolder('provenance.key'), 'utf8')).toBe(before);
  });

  it('a statement is about the pushed image if its digest is passed, and no longer about the local id', async () => {
    const { sign, verify } = await givenFiles();
    await sign('api.json', '--digest', pushed, '--image', 'registry.example.com/leadback-api');
    expect(await verify('api.dsse.json', pushed)).toMatchObject({
      status: 0,
      output: expect.stringContaining(`of registry.example.com/leadback-api ${pushed}`),
    });
    expect(await verify('api.dsse.json', local)).toMatchObject({
      status: 1,
      output: expect.stringContaining(`it is about ${pushed}, not ${local}`),
    });
  });

  it('a bill of materials becomes a statement about the image that is named, and is no provenance', async () => {
    const { sign, verify } = await givenFiles();
    expect(await sign('bill.json')).toMatchObject({
      status: 1,
      output: expect.stringContaining('pass --image and --digest too'),
    });
    await sign('bill.json', '--digest', pushed, '--image', 'registry.example.com/leadback-api');
    expect(await verify('bill.dsse.json', pushed, '--type', 'sbom')).toMatchObject({
      status: 0,
      output: expect.stringContaining('correct: https://cyclonedx.org/bom of '),
    });
    expect(await verify('bill.dsse.json', pushed, '--type', 'provenance')).toMatchObject({
      status: 1,
      output: expect.stringContaining('it is https://cyclonedx.org/bom, not https://slsa.dev/provenance/v1'),
    });
  });

  it('verify fails for a changed file and for another key, and names the file', async () => {
    const { inFolder, sign, verify } = await givenFiles();
    await sign('api.json');
    const other = await givenFiles();
    const refused = {
      status: 1,
      output: expect.stringContaining('api.dsse.json: its signature is not of this key'),
    };
    const key = ['--key', other.inFolder('provenance.pub')];
    expect(await verify('api.dsse.json', local, ...key)).toMatchObject(refused);
    const envelope = await readFile(inFolder('api.dsse.json'), 'utf8');
    const changed = { ...statement, predicate: { buildDefinition: { buildType: 'mine' } } };
    await writeFile(inFolder('api.dsse.json'), envelope.replace(encoded(statement), encoded(changed)));
    expect(await verify('api.dsse.json', local)).toMatchObject(refused);
  });

  it('says what the command line lacks, and how a key is created', async () => {
    const { inFolder } = await givenFiles();
    expect(await provenance('prove')).toMatchObject({ status: 2, output: expect.stringContaining('no command prove') });
    expect(await provenance('sign')).toMatchObject({ status: 2, output: expect.stringContaining('--file is missing') });
    const sign = ['sign', '--file', inFolder('api.json'), '--key'] as const;
    const short = await provenance(...sign, inFolder('provenance.key'), '--digest', 'sha256:12');
    expect(short).toMatchObject({ status: 2, output: expect.stringContaining('--digest takes sha256: and 64') });
    expect(await provenance(...sign, inFolder('api.json'))).toMatchObject({
      status: 1,
      output: expect.stringContaining('Create one with: npm run provenance -- keys --out FOLDER'),
    });
  });
});
