export { brokerAddress } from './broker-server.ts';
export { hintConsumer, type HintConsumer } from './hint-consumer.ts';
export type { ParcelHint } from './hint-message.ts';
export { hintPublisher, type HintPublisher } from './hint-publisher.ts';
export { type BrokerPart, type BrokerReport, inspectBroker } from './inspect-broker.ts';
export { type LeadQueue, openLeadQueue } from './lead-queue.ts';
export { replayDeadLeads } from './replay-dead-leads.ts';
export { deadLeadQueue, hintExchange, hintQueue, leadQueue } from './topology.ts';
