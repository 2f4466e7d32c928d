import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

// OWASP's minimum for argon2id; some 40 ms on a small machine
const memory = 19_456;
const passes = 2;
const parallelism = 1;
const tagLength = 32;
const saltBytes = 16;

const phcShape =
  /^\$argon2id\$v=19\$m=(?<m>\d+),t=(?<t>\d+),p=(?<p>\d+)\$(?<salt>[A-Za-z0-9+/]+)\$(?<tag>[A-Za-z0-9+/]+)$/;

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);
const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
// the same characters, however a keyboard composes them
const messageOf = (password: string) => Buffer.from(password.normalize('NFKC'));

/** Argon2id, in the PHC string format. */
export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(saltBytes);
  const tag = await derive('argon2id', { message: messageOf(password), nonce, memory, passes, parallelism, tagLength });
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
};

// of no password: takes as long as the hash of one
const ofNobody = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(Buffer.alloc(saltBytes))}$${base64(Buffer.alloc(tagLength))}`;

/** Takes the same time without a hash, so that callers cannot tell whether a person exists. */
export const isPassword = async (hash: string | null | undefined, password: string): Promise<boolean> => {
  const { m, t, p, salt = '', tag = '' } = phcShape.exec(hash ?? ofNobody)?.groups ?? {};
  const expected = Buffer.from(tag, 'base64');
  const given = await derive('argon2id', {
    message: messageOf(password),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    tagLength: expected.length,
  });
  return timingSafeEqual(given, expected) && hash != null;
};
