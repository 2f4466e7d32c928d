import { type PnpmEnd, runPnpm } from './run-pnpm.ts';

const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--sbom-type', 'application'];

/** What the apps come with, however deep, as CycloneDX, by the lockfile and what is installed: no registry is asked. */
export const billOfMaterials = (options: readonly string[] = []): PnpmEnd =>
  runPnpm(['sbom', '--prod', '--filter', './apps/*', ...format, ...options]);
