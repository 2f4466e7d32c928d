// `npm run sbom`: what each app comes with, however deep, as CycloneDX in sbom/<app>.cdx.json; needs no registry.
import { join } from 'node:path';
import { root } from './start/data-folder.ts';
import { billOfMaterials } from './supply-chain/bill-of-materials.ts';

const { status, stdout, stderr } = billOfMaterials(['--split', '--out', join(root, 'sbom', '%s.cdx.json')]);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = status;
