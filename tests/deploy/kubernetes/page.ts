import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/code-blocks.ts';

/** What a platform team reads. */
export const page = readFileSync(join(root, 'docs', 'kubernetes.md'), 'utf8');
