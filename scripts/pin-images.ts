// `npm run pin-images`: asks the registries for the digests of all images of others that Dockerfile, docker-compose.yml and
// the files in deploy name, and writes them behind the tags. Exit status 1: --check found a difference; 2: a digest is unknown.
import { readOptions } from './read-options.ts';
import { root } from './start/data-folder.ts';
import { checkPins, pinImages } from './supply-chain/pinning/pin-images.ts';
import { dockerHub } from './supply-chain/pinning/registry.ts';

const args = process.argv.slice(2);
const { registry = dockerHub, folder = root } = readOptions(
  ['registry', 'folder'],
  `npm run pin-images -- [--check] [--registry URL] [--folder FOLDER]
  --check      writes nothing, and fails if an image is not pinned or its tag has another digest now
  --registry   a mirror that is asked for the images of Docker Hub; default: ${dockerHub}
  --folder     default: this repository`,
  args.filter((argument) => argument !== '--check'),
);
const run = args.includes('--check') ? checkPins : pinImages;
const { status, lines } = await run(folder, registry.replace(/\/$/, ''));
const stream = status === 0 ? process.stdout : process.stderr;
stream.write(`${lines.join('\n')}\n`);
process.exitCode = status;
