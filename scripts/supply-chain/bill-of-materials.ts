import { type PnpmEnd, runPnpm } from './run-pnpm.ts';

const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--sbom-type', 'application'];

// also an image
const sandbox = './packages/platform-sandbox';

/** All production dependencies of the apps and the sandbox as CycloneDX, from the lockfile and node_modules; needs no registry. */
export const billOfMaterials = (options: readonly string[] = []): PnpmEnd =>
  runPnpm(['sbom', '--prod', '--filter', './apps/*', '--filter', sandbox, ...format, ...options]);
