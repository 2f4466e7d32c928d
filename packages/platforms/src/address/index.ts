export {
  addressKind,
  plainAddress,
  defaultPorts,
  type EgressOptions,
  type ProblemCode,
  checkedLookup,
  type Resolve,
  resolveHost,
  checkWebhookUrl,
  egressOf,
  egressSettings,
  readUrl,
} from './webhook-address.ts';
