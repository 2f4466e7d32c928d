import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { forgetServer } from '@leadback/local-stack';

const cleanUpMaxMs = 15_000;

/** Ends the servers of interrupted tests. Retries, because their processes may still be exiting. */
export const cleanUp = async (testFolder: string, until = Date.now() + cleanUpMaxMs): Promise<void> => {
  try {
    const folders = existsSync(testFolder) ? readdirSync(testFolder, { withFileTypes: true }) : [];
    for (const folder of folders) if (folder.isDirectory()) await forgetServer(join(testFolder, folder.name));
    rmSync(testFolder, { recursive: true, force: true });
  } catch (error) {
    if (Date.now() > until) throw error;
    await pause(200);
    await cleanUp(testFolder, until);
  }
};
