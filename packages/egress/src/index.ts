export { addressKind, plainAddress } from './address-kind.ts';
export { defaultPorts, type EgressOptions, type ProblemCode } from './address-problem.ts';
export { checkedLookup, type Resolve, resolveHost } from './checked-lookup.ts';
export { checkWebhookUrl } from './check-webhook-url.ts';
export { egressOf, egressSettings } from './egress-settings.ts';
export { readUrl } from './read-url.ts';
