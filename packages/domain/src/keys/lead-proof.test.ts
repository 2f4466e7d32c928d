import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { leadProofKeys, leadProofOf, newLeadProof, readOwnLead, writeOwnLead } from './tokens.ts';

const keys = leadProofKeys([randomBytes(32)]);
const foreign = leadProofKeys([randomBytes(32)]);
const lead = { reference: 'R'.repeat(22), pageId: 7, proof: newLeadProof().proof };

describe('the proof of a lead', () => {
  it('is 22 random characters, of which the lead keeps a hash', () => {
    const proofs = Array.from({ length: 1_000 }, newLeadProof);
    expect(new Set(proofs.map(({ proof }) => proof)).size).toBe(1_000);
    for (const { proof, hash } of proofs) {
      expect(proof).toMatch(/^[0-9A-Za-z]{22}$/);
      expect(hash).toBe(createHash('sha256').update(proof).digest('hex'));
    }
  });

  it('is the same for a form that is sent again, and cannot be made without the key', () => {
    expect(leadProofOf(keys, 'form')).toEqual(leadProofOf(keys, 'form'));
    for (const other of [leadProofOf(keys, 'other'), leadProofOf(foreign, 'form')]) {
      expect(other).not.toEqual(leadProofOf(keys, 'form'));
    }
  });

  it('is read from what was written, also after a rotation of the key', () => {
    const written = writeOwnLead(keys, lead);
    expect(readOwnLead(keys, written)).toEqual(lead);
    expect(readOwnLead([foreign[0], keys[0]], written)).toEqual(lead);
  });

  it('is not read from anything else', () => {
    const written = writeOwnLead(keys, lead);
    const unsigned = written.slice(0, written.lastIndexOf('.'));
    for (const other of [
      '',
      lead.reference,
      `${lead.reference}.7`,
      unsigned,
      `${unsigned}.${'A'.repeat(16)}`,
      written.replace('.7.', '.8.'),
      written.replace('RRR', 'SRR'),
      `${written}A`,
      writeOwnLead(foreign, lead),
    ]) {
      expect(readOwnLead(keys, other)).toBeUndefined();
    }
  });
});
