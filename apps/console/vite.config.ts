import { join } from 'node:path';
import { defineConfig } from 'vite';

/** Of the libraries of all screens, what is needed before one is open: not what only screens use. */
const isNeededFirst =
  /node_modules\/(?:react|scheduler|@tanstack)(?!.*(?:mutationObserver|useMutation|infiniteQueryObserver|useInfiniteQuery|useBlocker)\.js)/;

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
      // one file for what a new version of the console rarely changes
      output: { codeSplitting: { groups: [{ name: 'libraries', test: isNeededFirst }] } },
    },
  },
});
