// Run by the build with a folder: an api that starts only reads what this has rendered.
import { endpoints } from '../endpoints/index.ts';
import { writeDocuments } from './built-documents.ts';
import { packagesIn } from './documents.ts';
import { renderDocuments } from './render-documents.ts';
import { writePackages } from './sdk/write-packages.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node write-documents.ts FOLDER');
writeDocuments(folder, renderDocuments(endpoints));
writePackages(packagesIn(folder));
