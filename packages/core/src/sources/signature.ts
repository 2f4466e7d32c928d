import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SigningSecrets } from './kind.ts';

type Algorithm = 'sha256' | 'sha1' | 'sha512';

interface Signed {
  readonly algorithm?: Algorithm;
  readonly encoding: 'hex' | 'base64';
  /** What is signed, in order. */
  readonly content: readonly (string | Buffer)[];
}

const hmac = (secret: string | Buffer, { algorithm = 'sha256', content }: Signed): Buffer => {
  const made = createHmac(algorithm, secret);
  for (const part of content) made.update(part);
  return made.digest();
};

const shapes = { hex: /^[0-9a-f]+$/i, base64: /^[A-Za-z0-9+/_-]+={0,2}$/ } as const;

/** Whether a written signature is that of one of the secrets. Takes the same time wherever they differ. */
export const isSignedBy = (
  secrets: readonly (string | Buffer)[] | SigningSecrets,
  written: string | undefined,
  signed: Signed,
): boolean => {
  const text = written?.trim() ?? '';
  if (text.length > 512 || !shapes[signed.encoding].test(text)) return false;
  const given = Buffer.from(text, signed.encoding);
  return secrets
    .map((secret) => hmac(secret, signed))
    .reduce((found, own) => (own.length === given.length && timingSafeEqual(own, given)) || found, false);
};

const windowMs = 5 * 60_000;

/** Whether a time of a signature is now, by both clocks, which differ by some minutes. */
export const isRecent = (sentMs: number, nowMs: number): boolean => Math.abs(nowMs - sentMs) <= windowMs;

/** A time in seconds since 1970, as signatures have it; NaN if it is none. */
export const secondsIn = (written: string | undefined): number =>
  /^\d{1,13}$/.test(written ?? '') ? Number(written) * 1000 : Number.NaN;
