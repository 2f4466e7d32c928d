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

/** A lead as it waits at the broker or on disk: nobody but us can read whom it is about. */
export const sealLead = (keys: Keys, lead: WaitingLead): Buffer => seal(keys, belongsTo, lead);

/** Opens what `sealLead` gave; undefined for anything else. */
export const unsealLead = (keys: Keys, sealed: Buffer): WaitingLead | undefined => {
  try {
    return waitingLeadSchema.parse(unseal(keys, belongsTo, sealed));
  } catch {
    return undefined;
  }
};
