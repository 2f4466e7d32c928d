import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const create = 'Create one with: npm run provenance -- keys --out FOLDER';

const readKey = (file: string, kind: 'private' | 'public', parse: (pem: Buffer) => KeyObject): KeyObject => {
  let key: KeyObject;
  try {
    key = parse(readFileSync(file));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot read the ${kind} key ${file}: ${reason}. It must be PEM, without a password. ${create}`, {
      cause: error,
    });
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new Error(`the ${kind} key ${file} is ${key.asymmetricKeyType}, not ed25519. ${create}`);
};

/** From PEM, PKCS#8. */
export const readPrivateKey = (file: string): KeyObject => readKey(file, 'private', createPrivateKey);
export const readPublicKey = (file: string): KeyObject => readKey(file, 'public', createPublicKey);

export const publicPem = (key: KeyObject): string =>
  (key.type === 'private' ? createPublicKey(key) : key).export({ type: 'spki', format: 'pem' }).toString();

export const temporaryKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;

/** Writes a new key pair. Never replaces a file, as statements that a lost key has signed cannot be signed again. */
export const writeKeys = (folder: string): { readonly privateFile: string; readonly publicFile: string } => {
  const key = temporaryKey();
  const [privateFile, publicFile] = [join(folder, 'provenance.key'), join(folder, 'provenance.pub')];
  const pem = key.export({ type: 'pkcs8', format: 'pem' });
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(privateFile, pem, { mode: 0o600, flag: 'wx' });
    writeFileSync(publicFile, publicPem(key), { flag: 'wx' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot write the keys: ${reason}. Pass a folder without keys: --out FOLDER`, {
      cause: error,
    });
  }
  return { privateFile, publicFile };
};
