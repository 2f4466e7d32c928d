import { domainStates } from '@leadback/domain';
import { z } from 'zod';

/** A record of DNS, to copy. */
const dnsRecord = z.object({ type: z.enum(['CNAME', 'A', 'AAAA', 'TXT']), host: z.string(), value: z.string() });

const addresses = z.array(z.string()).readonly();

/** What is wrong with the DNS of a domain. */
const finding = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('missing') }),
  z.object({ kind: z.literal('other-name'), name: z.string(), addresses }),
  z.object({ kind: z.literal('other-addresses'), addresses }),
  z.object({ kind: z.literal('some-other-addresses'), addresses }),
]);

export const domain = z.object({
  id: z.number(),
  name: z.string(),
  state: z.enum(domainStates),
  /** Null: nothing that is known. */
  finding: finding.nullable(),
  /** With which the name leads here. */
  record: dnsRecord,
  /** With which the account proves that the name is its own. */
  proof: dnsRecord,
  isProved: z.boolean(),
  /** ISO 8601; null: never. */
  checkedAt: z.string().nullable(),
});

/** `GET /api/accounts/:account/domains` */
export const domainsReply = z.object({ items: z.array(domain) });

/** `POST /api/accounts/:account/domains` */
export const addDomainInput = z.object({ name: z.string().max(300) });
export const addDomainReply = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('added'), domain }),
  /** It is no host name, or not one that an advertiser can have. */
  z.object({ outcome: z.literal('invalid') }),
  /** Another account has it, or had it until a few days ago: it is for who creates this record. */
  z.object({ outcome: z.literal('to-prove'), proof: dnsRecord }),
  z.object({ outcome: z.literal('too-many') }),
]);

/** `POST /api/accounts/:account/domains/:id/check`. `isAnswered`: false if DNS did not answer, and nothing has changed. */
export const checkDomainReply = z.object({ domain, isAnswered: z.boolean() });

/** `POST /api/accounts/:account/domains/:id/remove` */
export const removeDomainReply = z.object({ id: z.number(), name: z.string() });

export type Domain = z.output<typeof domain>;
export type DnsRecord = z.output<typeof dnsRecord>;
export type DomainsReply = z.output<typeof domainsReply>;
export type AddDomainReply = z.output<typeof addDomainReply>;
export type CheckDomainReply = z.output<typeof checkDomainReply>;
export type RemoveDomainReply = z.output<typeof removeDomainReply>;
