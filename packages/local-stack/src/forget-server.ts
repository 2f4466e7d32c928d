import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endLeftOver } from './processes/end-left-over.ts';
import { claimFolder } from './processes/folder-claim.ts';

const pidFiles = ['data/postmaster.pid', 'node.pid', 'epmd.pid'];

/** Deletes the folder of a server; first ends the server if a killed run left it running. */
export const forgetServer = async (dir: string): Promise<void> => {
  if (!existsSync(dir)) return;
  claimFolder(dir);
  for (const pidFile of pidFiles) await endLeftOver(join(dir, pidFile), 'SIGTERM');
  rmSync(dir, { recursive: true, force: true });
};
