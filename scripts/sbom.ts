// `npm run sbom`: writes all dependencies of each app as CycloneDX to sbom/<app>.cdx.json, without a registry.
import { join } from 'node:path';
import { root } from './start/data-folder.ts';
import { billOfMaterials } from './supply-chain/bill-of-materials.ts';

const { status, stdout, stderr } = billOfMaterials(['--split', '--out', join(root, 'sbom', '%s.cdx.json')]);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = status;
