import {
  issueLeadReference,
  type Keys,
  type LeadProof,
  leadProofKeys,
  leadProofOf,
  leadReferenceKeys,
  leadReferenceOf,
  newLeadProof,
  type SecretsKeys,
} from '@leadback/secrets';
import { inAdvance } from '../in-advance.ts';

const issuedAtOnce = 64;

/** A reference for a lead, and what proves that the browser has left it. */
export interface IssuedReference extends LeadProof {
  readonly reference: string;
}

export interface LeadReferences {
  /** A new reference and proof. */
  readonly issue: () => IssuedReference;
  /** The same for the same seed, which has a secret of the browser. */
  readonly of: (seed: string) => IssuedReference;
  /** Sign the cookies by which browsers prove their leads. */
  readonly proofKeys: Keys;
}

export const leadReferences = (secretsKeys: SecretsKeys): LeadReferences => {
  const [keys, proofKeys] = [leadReferenceKeys(secretsKeys), leadProofKeys(secretsKeys)];
  return {
    issue: inAdvance(issuedAtOnce, () => ({ reference: issueLeadReference(keys), ...newLeadProof() })),
    of: (seed) => ({ reference: leadReferenceOf(keys, seed), ...leadProofOf(proofKeys, seed) }),
    proofKeys,
  };
};
