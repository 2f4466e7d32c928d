import { decrypt, encrypt, type Keys, keysFor, type SecretsKeys } from '@leadback/domain/keys';
import { z } from 'zod';

const belongsTo = 'visitor page';
const validMs = 30 * 60_000;

const handleSchema = z.object({
  reference: z.string(),
  accountId: z.int(),
  /** Of the erasure that is asked for with this handle: the same form sent again asks for the same one. */
  erasureId: z.string(),
  untilMs: z.number(),
});

/** What a form of the visitor's page says of its lead. */
export type LeadHandle = Readonly<Omit<z.output<typeof handleSchema>, 'untilMs'>>;

export const leadHandleKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, belongsTo);

/** Names a lead in a form, for half an hour. A form with it proves that its sender was shown the lead. */
export const encryptHandle = (keys: Keys, handle: LeadHandle, nowMs: number): string =>
  encrypt(keys, belongsTo, { ...handle, untilMs: nowMs + validMs }).toString('base64url');

/** Returns undefined for anything but a handle of the last half hour. */
export const decryptHandle = (keys: Keys, encrypted: string, nowMs: number): LeadHandle | undefined => {
  try {
    const { untilMs, ...handle } = handleSchema.parse(decrypt(keys, belongsTo, Buffer.from(encrypted, 'base64url')));
    return nowMs <= untilMs ? handle : undefined;
  } catch {
    return undefined;
  }
};
