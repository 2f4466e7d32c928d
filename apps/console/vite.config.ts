import { join } from 'node:path';
import { defineConfig } from 'vite';

/** Of the libraries of all screens, what is needed before one is open: not what only screens use. */
const isNeededFirst =
  /node_modules\/(?:react|scheduler|@tanstack)(?!.*(?:mutationObserver|useMutation|infiniteQueryObserver|useInfiniteQuery|useBlocker)\.js)/;

/** What screens are made of. */
const isPart = /\/web\/(?:parts|range)\//;

/** What a file for a screen is called: each screen has an `index` and `parts`. */
const nameOf = (name: string, path = ''): string => {
  const [, screen, part] = /screens\/([^/]+)\/([^/.]+)\.tsx?$/.exec(path) ?? [];
  if (screen === undefined || part === undefined) return name;
  return part === 'index' ? `${screen}-screen` : `${screen}-${part}`;
};

/**
 * Builds the web application. The paths of its files contain a hash of their content, so that they may be cached for
 * ever; only `index.html` and the files of `public` keep their names.
 */
export default defineConfig({
  root: join(import.meta.dirname, 'web'),
  css: { modules: { generateScopedName: '[hash:base64:6]' } },
  build: {
    outDir: join(import.meta.dirname, 'dist-web'),
    emptyOutDir: true,
    // light-dark(), :has() and popover are used as they are
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    // data: URLs are blocked by the content security policy
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.txt' },
    // libraries say 'use client' for servers that render; there is none
    rolldownOptions: {
      checks: { moduleLevelDirective: false, pluginTimings: false },
      output: {
        // 42 bits: the first file has the names of all others
        chunkFileNames: ({ name, moduleIds }) => `assets/${nameOf(name, moduleIds.at(-1))}-[hash:7].js`,
        assetFileNames: ({ originalFileNames }) => `assets/${nameOf('[name]', originalFileNames[0])}-[hash:7][extname]`,
        codeSplitting: {
          groups: [
            // one file for what a new version of the console rarely changes
            { name: 'libraries', test: isNeededFirst, priority: 3 },
            { name: 'first', tags: ['$initial'], priority: 2 },
            // browsers load six files at a time: with one for each part, the requests of a screen would wait for them
            { name: 'common', test: isPart, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
});
