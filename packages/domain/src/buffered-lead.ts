import { z } from 'zod';
import { clickParametersSchema } from './click-parameters.ts';
import { newLeadSchema } from './new-lead.ts';
import { encrypt, decrypt } from './encrypt.ts';
import { deriveKeys, type Keys } from './secrets-keys.ts';

const belongsTo = 'waiting lead 1';

/** A lead that was put aside because the database could not take it, and when its visitor was there. */
const bufferedLeadSchema = newLeadSchema.extend({ visitedAt: z.iso.datetime() });
export type BufferedLead = Readonly<z.infer<typeof bufferedLeadSchema>>;

/** The keys under which leads are sealed while they wait. */
export const bufferedLeadKeys = (secretsKeys: Keys): Keys => deriveKeys(secretsKeys, belongsTo);

// The version before must read what is buffered: during an upgrade, and after a return to it. It requires `clickedAt`,
// refuses a lead because of a click parameter that it does not know, and drops any other field.
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

/** A lead as it waits at the broker or on disk: nobody but us can read whom it is about. */
export const encryptLead = (keys: Keys, lead: BufferedLead): Buffer => encrypt(keys, belongsTo, toStored(lead));

/** Opens what `sealLead` gave; undefined for anything else. */
export const decryptLead = (keys: Keys, sealed: Buffer): BufferedLead | undefined => {
  try {
    return fromStored(storedLeadSchema.parse(decrypt(keys, belongsTo, sealed)));
  } catch {
    return undefined;
  }
};
