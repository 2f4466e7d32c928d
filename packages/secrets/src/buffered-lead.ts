import { z } from 'zod';
import { newLeadSchema } from '@leadback/domain';
import { encrypt, decrypt } from './encrypt.ts';
import { keysFor, type Keys, type SecretsKeys } from './secrets-keys.ts';

const belongsTo = 'waiting lead 1';

/** A lead that PostgreSQL could not record, with the time of the visit. */
const bufferedLeadSchema = newLeadSchema.extend({ visitedAt: z.iso.datetime() });
export type BufferedLead = Readonly<z.infer<typeof bufferedLeadSchema>>;

export const bufferedLeadKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, belongsTo);

/** Encrypts a lead for RabbitMQ or the disk: it has personal data. */
export const encryptLead = (keys: Keys, lead: BufferedLead): Buffer => encrypt(keys, belongsTo, lead);

/** Returns undefined for anything but an encrypted lead. */
export const decryptLead = (keys: Keys, encrypted: Buffer): BufferedLead | undefined => {
  try {
    return bufferedLeadSchema.parse(decrypt(keys, belongsTo, encrypted));
  } catch {
    return undefined;
  }
};
