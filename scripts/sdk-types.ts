// `node scripts/run.mjs sdk-types` writes the types of the SDK from the OpenAPI document of the API.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusalCodes, warningCodes } from '@leadback/domain';
import { apiDocument } from '../apps/api/src/documentation/api-document.ts';
import { endpoints } from '../apps/api/src/endpoints/index.ts';
import { apiTypes } from './sdk/api-types.ts';

const file = join(import.meta.dirname, '..', 'packages', 'sdk', 'src', 'api-types.ts');
writeFileSync(file, apiTypes(apiDocument(endpoints), refusalCodes, warningCodes));
execFileSync('biome', ['format', '--write', file], { stdio: 'inherit' });
