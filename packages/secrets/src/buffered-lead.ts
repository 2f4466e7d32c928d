import { z } from 'zod';
import { clickParametersSchema, newLeadSchema } from '@leadback/domain';
import { encrypt, decrypt } from './encrypt.ts';
import { keysFor, type Keys, type SecretsKeys } from './secrets-keys.ts';

const belongsTo = 'waiting lead 1';

/** A lead that PostgreSQL could not record, with the time of the visit. */
const bufferedLeadSchema = newLeadSchema.extend({ visitedAt: z.iso.datetime() });
export type BufferedLead = Readonly<z.infer<typeof bufferedLeadSchema>>;

export const bufferedLeadKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, belongsTo);

// The previous version must be able to read buffered leads, during an upgrade and after a rollback. It requires
// `clickedAt`, rejects unknown click parameters, and drops unknown fields.
const storedLeadSchema = bufferedLeadSchema
  .omit({ clickParameters: true })
  .extend({ clickMarks: clickParametersSchema, ttp: z.string().optional() });
type StoredLead = z.infer<typeof storedLeadSchema>;

const toStored = ({
  clickParameters: { _ttp: ttp, ...clickMarks },
  clickedAt = null,
  ...lead
}: BufferedLead): StoredLead => ({
  ...lead,
  clickMarks,
  clickedAt,
  ...(ttp !== undefined && { ttp }),
});

const fromStored = ({ ttp, clickMarks, clickedAt, ...lead }: StoredLead): BufferedLead => ({
  ...lead,
  clickParameters: { ...clickMarks, ...(ttp !== undefined && { _ttp: ttp }) },
  ...(clickedAt && { clickedAt }),
});

/** Encrypts a lead for RabbitMQ or the disk: it has personal data. */
export const encryptLead = (keys: Keys, lead: BufferedLead): Buffer => encrypt(keys, belongsTo, toStored(lead));

/** Returns undefined for anything but an encrypted lead. */
export const decryptLead = (keys: Keys, encrypted: Buffer): BufferedLead | undefined => {
  try {
    return fromStored(storedLeadSchema.parse(decrypt(keys, belongsTo, encrypted)));
  } catch {
    return undefined;
  }
};
