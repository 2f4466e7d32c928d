import { defineConfig } from 'tsup';

/** One file per app for its image, with everything it needs inside. */
export default defineConfig({
  entry: ['src/main.ts'],
  format: 'esm',
  target: 'node24',
  platform: 'node',
  sourcemap: true,
  clean: true,
  noExternal: [/./],
  // some libraries are CommonJS and ask for node's own modules with require
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});
