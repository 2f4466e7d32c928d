import type { Log } from '../log.ts';
import { findExecutable, pathFolders } from './find-executable.ts';
import { findOrInstall } from './find-or-install.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'Google Chrome'];
const folderOnMac = '/Applications/Google Chrome.app/Contents/MacOS';

const find = () => process.env['CHROMIUM'] || findExecutable(names, [...pathFolders(), folderOnMac]);

const advice =
  'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM to its path';

/** The path in CHROMIUM, of an installed Chromium, or of one that it installs now. */
export const findChromium = (log: Log = () => {}): Promise<string> =>
  findOrInstall({
    find,
    packageName: 'chromium',
    announcement: 'Installing Chromium with apt-get (125 MB) …',
    advice,
    log,
  });
