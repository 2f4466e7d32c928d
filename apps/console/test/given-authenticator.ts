import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { z } from 'zod';

// a passkey of a program, which signs as an authenticator does: https://www.w3.org/TR/webauthn-3/

const head = (type: number, value: number): Buffer => {
  if (value < 24) return Buffer.from([(type << 5) | value]);
  return Buffer.from(value < 256 ? [(type << 5) | 24, value] : [(type << 5) | 25, value >> 8, value & 255]);
};
const int = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (...entries: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([head(5, entries.length), ...entries.flat()]);

const sha256 = (value: string | Buffer) => createHash('sha256').update(value).digest();
const encode = (value: string | Buffer) => Buffer.from(value).toString('base64url');

const options = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string() }).optional(),
  rpId: z.string().optional(),
  user: z.object({ id: z.string() }).optional(),
});

const present = 0x01;
const verified = 0x04;
const hasKey = 0x40;

interface Signing {
  readonly counter?: number;
  readonly origin?: string;
  /** The authenticator has only noticed that somebody is there. */
  readonly isUnverified?: boolean;
  readonly userHandle?: string;
}

/** The data of an authenticator before its key: whom it is for, what it has checked, and its counter. */
const dataOf = (rpId: string, flags: number, counter: number) => {
  const rest = Buffer.alloc(5);
  rest.writeUInt8(flags, 0);
  rest.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(rpId), rest]);
};

/** Creates one passkey for the options of a console at `origin`, and uses it. */
export const givenAuthenticator = (origin: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let handle = '';
  const clientData = (type: string, challenge: string, from = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  const credential = { id: encode(id), rawId: encode(id), type: 'public-key', clientExtensionResults: {} };
  return {
    create(sent: unknown, { counter = 0, origin: from, isUnverified = false }: Signing = {}) {
      const { challenge, rp, user } = options.parse(sent);
      handle = user?.id ?? '';
      const key = map(
        [int(1), int(2)],
        [int(3), int(-7)],
        [int(-1), int(1)],
        [int(-2), bytes(Buffer.from(x, 'base64url'))],
        [int(-3), bytes(Buffer.from(y, 'base64url'))],
      );
      const length = Buffer.from([0, id.length]);
      const flags = hasKey | present | (isUnverified ? 0 : verified);
      const data = Buffer.concat([dataOf(rp?.id ?? '', flags, counter), Buffer.alloc(16), length, id, key]);
      const attestation = map([text('fmt'), text('none')], [text('attStmt'), map()], [text('authData'), bytes(data)]);
      return {
        ...credential,
        response: {
          clientDataJSON: encode(clientData('webauthn.create', challenge, from)),
          attestationObject: encode(attestation),
          transports: ['internal'],
        },
      };
    },
    use(sent: unknown, { counter = 0, origin: from, isUnverified = false, userHandle = handle }: Signing = {}) {
      const { challenge, rpId = '' } = options.parse(sent);
      const client = clientData('webauthn.get', challenge, from);
      const data = dataOf(rpId, present | (isUnverified ? 0 : verified), counter);
      const signature = createSign('sha256').update(data).update(sha256(client)).sign(privateKey);
      return {
        ...credential,
        response: {
          clientDataJSON: encode(client),
          authenticatorData: encode(data),
          signature: encode(signature),
          userHandle,
        },
      };
    },
  };
};
