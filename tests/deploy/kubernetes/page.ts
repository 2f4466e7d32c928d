import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/code-blocks.ts';

export const page = readFileSync(join(root, 'docs', 'kubernetes.md'), 'utf8');
