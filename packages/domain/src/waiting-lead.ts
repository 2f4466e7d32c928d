import { z } from 'zod';
import { newLeadSchema } from './new-lead.ts';
import { seal, unseal } from './seal.ts';
import { deriveKeys, type Keys } from './secrets-keys.ts';

const belongsTo = 'waiting lead 1';

/** A lead that was put aside because the database could not take it, and when its visitor was there. */
const waitingLeadSchema = newLeadSchema.extend({ visitedAt: z.iso.datetime() });
export type WaitingLead = Readonly<z.infer<typeof waitingLeadSchema>>;

/** The keys under which leads are sealed while they wait. */
export const waitingLeadKeys = (secretsKeys: Keys): Keys => deriveKeys(secretsKeys, belongsTo);

// The version before must read what is buffered: during an upgrade, and after a return to it. It requires `clickedAt`,
// refuses a lead because of a click parameter that it does not know, and drops any other field.
const storedLeadSchema = waitingLeadSchema.extend({ ttp: z.string().optional() });
type StoredLead = z.infer<typeof storedLeadSchema>;

const toStored = ({
  clickMarks: { _ttp: ttp, ...clickMarks },
  clickedAt = null,
  ...lead
}: WaitingLead): StoredLead => ({
  ...lead,
  clickMarks,
  clickedAt,
  ...(ttp !== undefined && { ttp }),
});

const fromStored = ({ ttp, clickMarks, clickedAt, ...lead }: StoredLead): WaitingLead => ({
  ...lead,
  clickMarks: { ...clickMarks, ...(ttp !== undefined && { _ttp: ttp }) },
  ...(clickedAt && { clickedAt }),
});

/** A lead as it waits at the broker or on disk: nobody but us can read whom it is about. */
export const sealLead = (keys: Keys, lead: WaitingLead): Buffer => seal(keys, belongsTo, toStored(lead));

/** Opens what `sealLead` gave; undefined for anything else. */
export const unsealLead = (keys: Keys, sealed: Buffer): WaitingLead | undefined => {
  try {
    return fromStored(storedLeadSchema.parse(unseal(keys, belongsTo, sealed)));
  } catch {
    return undefined;
  }
};
