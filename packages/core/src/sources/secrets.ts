import { createHash } from 'node:crypto';
import {
  type CredentialsOwner,
  decryptSourceSecrets,
  encryptSourceSecrets,
  randomBase62,
  type SecretsKeys,
  sourceKeys,
} from '@leadback/domain/keys';
import { z } from 'zod';

/** What is stored encrypted of a source. */
const storedSchema = z.object({
  /** The last part of its URL. */
  path: z.string(),
  /** Those of its kind; `secret` signs. */
  own: z.record(z.string(), z.unknown()),
  /** Secrets that sign as well, each until a time, newest first. */
  earlier: z.array(z.object({ secret: z.string(), until: z.iso.datetime() })).default([]),
});
export type SourceSecrets = Readonly<z.output<typeof storedSchema>>;

// 190 bits: a guess would be enough to report sales
const pathLength = 32;
const pathShape = /^[0-9A-Za-z]{32}$/;

export const newPath = (): string => randomBase62(pathLength);

/** Undefined: no source can have it. */
export const pathHashOf = (path: string): Buffer | undefined =>
  pathShape.test(path) ? createHash('sha256').update(path).digest() : undefined;

export const encryptSecrets = (secretsKeys: SecretsKeys, source: CredentialsOwner, secrets: SourceSecrets): Buffer =>
  encryptSourceSecrets(sourceKeys(secretsKeys), source, secrets);

/** Throws if no key decrypts them. */
export const decryptSecrets = (secretsKeys: SecretsKeys, source: CredentialsOwner, encrypted: Buffer): SourceSecrets =>
  storedSchema.parse(decryptSourceSecrets(sourceKeys(secretsKeys), source, encrypted));

/** Earlier secrets that sign still. */
export const validEarlier = ({ earlier }: SourceSecrets, nowMs: number): string[] =>
  earlier.filter(({ until }) => nowMs < Date.parse(until)).map(({ secret }) => secret);
