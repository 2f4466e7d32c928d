// `npm run provenance -- keys | sign | verify`: signs statements about images, such as those of `npm run deploy:check`, as
// DSSE envelopes, and verifies them. Exit status 1: a statement does not hold; 2: the command line is wrong.
import { readFileSync, writeFileSync } from 'node:fs';
import { helpWith, readOptions, refuse } from './read-options.ts';
import { opened, signed } from './supply-chain/provenance/envelope.ts';
import { publicPem, readPrivateKey, readPublicKey, writeKeys } from './supply-chain/provenance/keys.ts';
import { isDigest, statementAbout, statementBytes } from './supply-chain/provenance/statement.ts';

const usage = `npm run provenance -- keys --out FOLDER
  writes provenance.key, a secret of your build, and provenance.pub, which users keep
npm run provenance -- sign --file FILE [--key FILE] [--digest sha256:… [--image NAME]] [--out FILE]
  --file     a statement of in-toto, or a bill of materials of CycloneDX
  --key      private key (PEM, PKCS#8, Ed25519); default: PROVENANCE_KEY_FILE
  --digest   of the pushed image, as docker buildx imagetools inspect prints it; default: what the statement names
  --image    its name, with the registry
  --out      default: FILE with the ending .dsse.json
npm run provenance -- verify --file FILE.dsse.json --key provenance.pub --digest sha256:… [--type provenance | sbom | URI]`;

helpWith(usage);
const [command = '', ...args] = process.argv.slice(2);
const names = ['file', 'key', 'digest', 'image', 'out', 'type'] as const;

const required = (value: string | undefined, option: string): string =>
  value ?? refuse(`${option} is missing\n${usage}`);

const checked = (digest: string): string =>
  isDigest(digest) ? digest : refuse(`--digest takes sha256: and 64 hexadecimal digits, not ${digest}`);

const commands: Readonly<Record<string, () => string>> = {
  keys: () => {
    const values = readOptions(['out'], usage, args);
    const { privateFile, publicFile } = writeKeys(required(values.out, '--out'));
    return `${privateFile}  keep it secret: PROVENANCE_KEY_FILE of your build\n${publicFile}  give it to users`;
  },
  sign: () => {
    const { file: given, digest, image: name, ...values } = readOptions(names, usage, args);
    const file = required(given, '--file');
    const key = readPrivateKey(required(values.key ?? process.env['PROVENANCE_KEY_FILE'], '--key'));
    const subject = { ...(name !== undefined && { name }), ...(digest !== undefined && { digest: checked(digest) }) };
    const out = values.out ?? file.replace(/(\.json)?$/, '.dsse.json');
    writeFileSync(
      out,
      about(file, () => signed(statementBytes(readFileSync(file), subject), key)),
    );
    return `${out}  verify it with this key:\n${publicPem(key)}`;
  },
  verify: () => {
    const values = readOptions(names, usage, args);
    const file = required(values.file, '--file');
    const digest = checked(required(values.digest, '--digest'));
    const key = readPublicKey(required(values.key, '--key'));
    const { predicateType, subject } = about(file, () =>
      statementAbout(opened(readFileSync(file, 'utf8'), key), digest, values.type),
    );
    return `correct: ${predicateType} of ${subject.map(({ name }) => name).join(', ')} ${digest}`;
  },
};

/** Names the file in an error. */
function about<Result>(file: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

const run = commands[command] ?? refuse(`there is no command ${command}\n${usage}`);
try {
  process.stdout.write(`${run()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
