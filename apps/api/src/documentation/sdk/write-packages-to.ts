// Run by an api without a build, with a folder.
import { writePackages } from './write-packages.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node write-packages-to.ts FOLDER');
writePackages(folder);
