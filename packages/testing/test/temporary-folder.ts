import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with mode 700 that is deleted with the test. */
export const temporaryFolder = () => mkdtempDisposable(join(tmpdir(), 'leadback-local-stack-'));
