import { builtWebFolder } from '../../apps/console/src/web/web-folder.ts';
import { buildWeb } from '../../scripts/start/build-web.ts';

/** The folder of the web application, built from its current sources. */
export const builtWeb = async (): Promise<string> => {
  await buildWeb();
  return builtWebFolder;
};
