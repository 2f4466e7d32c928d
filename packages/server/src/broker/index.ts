export { brokerAddress } from './connection.ts';
export { hintConsumer, type HintConsumer, type ParcelHint, hintPublisher, type HintPublisher } from './hints.ts';
export { type BrokerPart, type BrokerReport, inspectBroker } from './inspect-broker.ts';
export { type LeadQueue, openLeadQueue, replayDeadLeads } from './lead-queue.ts';
export { deadLeadQueue, hintExchange, hintQueue, leadQueue } from './topology.ts';
