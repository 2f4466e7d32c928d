import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that only its owner may enter, as mkdtemp makes them; gone with the test. */
export const temporaryFolder = () => mkdtempDisposable(join(tmpdir(), 'leadback-local-stack-'));
