import { builtWebFolder } from '../../apps/console/src/web/web.ts';
import { buildWeb } from '../../scripts/start/data-folder.ts';
import { isBundled } from '../support/main-of.ts';

let building: Promise<void> | undefined;

/** The folder of the web application, built from its current sources: once in a process, and by `npm test` before. */
export const builtWeb = async (): Promise<string> => {
  if (!isBundled) await (building ??= buildWeb());
  return builtWebFolder;
};
