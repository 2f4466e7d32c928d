/**
 * waiting: its DNS has led nowhere since it was added. active: it leads to landing. wrong: it leads elsewhere, or has stopped to lead
 * to landing.
 */
export const domainStates = ['waiting', 'active', 'wrong'] as const;
export type DomainState = (typeof domainStates)[number];

/** What is wrong with the DNS of a domain, with what it has instead. */
export type DomainFinding =
  | { readonly kind: 'missing' }
  /** It is another name for a host that is not landing's. */
  | { readonly kind: 'other-name'; readonly name: string; readonly addresses: readonly string[] }
  /** As of a proxy such as Cloudflare, too. */
  | { readonly kind: 'other-addresses'; readonly addresses: readonly string[] }
  /** Besides those of landing: a part of the visitors gets there. */
  | { readonly kind: 'some-other-addresses'; readonly addresses: readonly string[] };

export interface DnsRecord {
  readonly type: 'CNAME' | 'A' | 'AAAA' | 'TXT';
  /** The whole name. */
  readonly host: string;
  readonly value: string;
}
