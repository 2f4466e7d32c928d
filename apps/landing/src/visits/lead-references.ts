import { issueLeadReference, type Keys, leadReferenceOf } from '@leadback/secrets';
import { inAdvance } from '../in-advance.ts';

const issuedAtOnce = 64;

export interface LeadReferences {
  /** A new reference. */
  readonly issue: () => string;
  /** The same reference for the same seed. */
  readonly of: (seed: string) => string;
}

export const leadReferences = (keys: Keys): LeadReferences => ({
  issue: inAdvance(issuedAtOnce, () => issueLeadReference(keys)),
  of: (seed) => leadReferenceOf(keys, seed),
});
