import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { z } from 'zod';

const here = import.meta.dirname;
const sdk = join(here, '..', '..', '..', '..', '..', 'packages', 'sdk');

const packageSchema = z.looseObject({ version: z.string(), description: z.string(), license: z.string() });

const readPackage = () => packageSchema.parse(JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8')));

/** The npm package, built beside its sources, so that nobody who builds them there is disturbed. */
const writeNpmPackage = (folder: string): void => {
  const work = mkdtempSync(join(tmpdir(), 'leadback-sdk-'));
  try {
    execFileSync(join(sdk, 'node_modules', '.bin', 'tsup'), ['--silent', '--out-dir', join(work, 'dist')], {
      cwd: sdk,
      stdio: 'inherit',
    });
    // without what is only needed to build it
    const { devDependencies: _, scripts: _scripts, ...description } = readPackage();
    writeFileSync(join(work, 'package.json'), `${JSON.stringify(description, undefined, 2)}\n`);
    for (const file of ['README.md', 'LICENSE', 'src']) {
      if (existsSync(join(sdk, file))) cpSync(join(sdk, file), join(work, file), { recursive: true });
    }
    const name = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', work], {
      cwd: work,
      encoding: 'utf8',
    }).trim();
    cpSync(join(work, name), join(folder, 'leadback-sdk.tgz'));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

const digestOf = (bytes: Uint8Array): string => `sha256=${createHash('sha256').update(bytes).digest('base64url')}`;

// what ZIP can say first
const someTime = new Date('1980-01-01T00:00:00Z');

/** A wheel (https://packaging.python.org/specifications/binary-distribution-format): pip takes its name and version from the file name. */
const writeWheel = (folder: string): void => {
  const { version, description, license } = readPackage();
  const info = `leadback-${version}.dist-info`;
  const files = {
    'leadback.py': readFileSync(join(here, 'leadback.py')),
    [`${info}/METADATA`]: strToU8(
      `Metadata-Version: 2.1\nName: leadback\nVersion: ${version}\nSummary: ${description}\nLicense: ${license}\nRequires-Python: >=3.9\n`,
    ),
    [`${info}/WHEEL`]: strToU8('Wheel-Version: 1.0\nGenerator: leadback\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
  };
  const record = Object.entries(files).map(([name, bytes]) => `${name},${digestOf(bytes)},${bytes.length}`);
  const all = { ...files, [`${info}/RECORD`]: strToU8([...record, `${info}/RECORD,,`, ''].join('\n')) };
  writeFileSync(join(folder, `leadback-${version}-py3-none-any.whl`), zipSync(all, { mtime: someTime }));
};

/** What Composer takes as the `dist` of a package. */
const writeComposerPackage = (folder: string): void => {
  const { version, description, license } = readPackage();
  const about = {
    name: 'leadback/sdk',
    description,
    version,
    license,
    require: { php: '>=8.1', 'ext-curl': '*' },
    autoload: { classmap: ['leadback.php'] },
  };
  const files = {
    'composer.json': strToU8(`${JSON.stringify(about, undefined, 4)}\n`),
    'leadback.php': readFileSync(join(here, 'leadback.php')),
  };
  writeFileSync(join(folder, 'leadback-php.zip'), zipSync(files, { mtime: someTime }));
};

/**
 * Writes the SDKs as the packages that npm, pip and Composer install from a URL or a file: `leadback-sdk.tgz`,
 * `leadback-<version>-py3-none-any.whl`, `leadback-php.zip`. The same sources make the same bytes.
 */
export const writePackages = (folder: string): void => {
  mkdirSync(folder, { recursive: true });
  writeNpmPackage(folder);
  writeWheel(folder);
  writeComposerPackage(folder);
};
