import { isBuiltin } from 'node:module';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Options } from 'tsup';
import { z } from 'zod';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const namespace = 'node';

/**
 * Requires node's own modules instead of importing them. An import reads each of their exports, also those that node
 * loads on demand: that of `http` would load all of `fetch`, a seventh of the time that an app takes to start.
 */
export const requiredBuiltins = (): Plugin => ({
  name: 'required-builtins',
  setup(build) {
    build.onResolve({ filter: /^[a-z]/ }, ({ path, kind }) =>
      kind === 'import-statement' && isBuiltin(path)
        ? { path: path.replace(/^node:/, ''), namespace, sideEffects: false }
        : undefined,
    );
    build.onLoad({ filter: /./, namespace }, ({ path }) => ({
      contents: `module.exports = require('node:${path}');`,
    }));
  },
});

const packageFolder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
const licenceFile = /^(licen[cs]e|notice|copying|unlicense)/i;

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

const sectionOf = (folder: string): string => {
  const description: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license, author } = packageSchema.parse(description);
  const texts = readdirSync(folder)
    .filter((file) => licenceFile.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0) texts.push(`Author: ${author ?? 'unknown'}. The package contains no licence text.`);
  return [`${'='.repeat(80)}\n${name} ${version} (${license})`, ...texts].join('\n\n');
};

/** Writes THIRD-PARTY-LICENSES beside the bundle: the full licences of all libraries in it, as redistribution requires. */
export const thirdPartyLicenses = (): Plugin => ({
  name: 'third-party-licenses',
  setup(build) {
    const { initialOptions } = build;
    initialOptions.metafile = true;
    build.onEnd(({ metafile }) => {
      const { absWorkingDir = process.cwd(), outdir = 'dist' } = initialOptions;
      const inputs = Object.values(metafile?.outputs ?? {}).flatMap((output) => Object.keys(output.inputs));
      const folders = inputs.flatMap((input) => packageFolder.exec(resolve(absWorkingDir, input))?.[0] ?? []);
      const sections = [...new Set(folders)].map(sectionOf).toSorted((one, other) => (one < other ? -1 : 1));
      mkdirSync(outdir, { recursive: true });
      writeFileSync(join(outdir, 'THIRD-PARTY-LICENSES'), `${sections.join('\n\n')}\n`);
    });
  },
});
