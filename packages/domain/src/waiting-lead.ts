import { z } from 'zod';
import { deriveKey } from './derive-key.ts';
import { newLeadSchema } from './new-lead.ts';
import { seal, unseal } from './seal.ts';

const belongsTo = 'waiting lead 1';

/** A lead that was put aside because the database could not take it, and when its visitor was there. */
const waitingLeadSchema = newLeadSchema.extend({ visitedAt: z.iso.datetime() });
export type WaitingLead = Readonly<z.infer<typeof waitingLeadSchema>>;

/** The key under which leads are sealed while they wait. */
export const waitingLeadKey = (secretsKey: Buffer): Buffer => deriveKey(secretsKey, belongsTo);

/** A lead as it waits at the broker or on disk: nobody but us can read whom it is about. */
export const sealLead = (key: Buffer, lead: WaitingLead): Buffer => seal(key, belongsTo, lead);

/** Opens what `sealLead` gave; undefined for anything else. */
export const unsealLead = (key: Buffer, sealed: Buffer): WaitingLead | undefined => {
  try {
    return waitingLeadSchema.parse(unseal(key, belongsTo, sealed));
  } catch {
    return undefined;
  }
};
