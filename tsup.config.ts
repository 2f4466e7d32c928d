import type { Options } from 'tsup';
import { requiredBuiltins, thirdPartyLicenses } from './scripts/bundle/esbuild-plugins.ts';

/**
 * One file per app for its image, with everything it needs inside. Without a source map: Node reading that takes as much
 * memory as the app, and the file keeps all names.
 */
export default {
  entry: ['src/main.ts'],
  format: 'esm',
  target: 'node24',
  platform: 'node',
  clean: true,
  splitting: false,
  noExternal: [/./],
  // for the plugin, which would not see them otherwise
  removeNodeProtocol: false,
  esbuildPlugins: [requiredBuiltins(), thirdPartyLicenses()],
  // some libraries are CommonJS and ask for node's own modules with require
  banner: {
    js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);",
  },
} satisfies Options;
