export { type FeedbackConsumer, feedbackConsumer } from './feedback-consumer.ts';
export { type FeedbackPublisher, feedbackPublisher } from './feedback-publisher.ts';
export { type BrokerPart, type BrokerReport, inspectBroker } from './inspect-broker.ts';
export { type LeadQueue, openLeadQueue } from './lead-queue.ts';
export { replayDeadLeads } from './replay-dead-leads.ts';
export { deadLeadQueue, deadLetterQueue, feedbackExchange, feedbackQueues, leadQueue } from './topology.ts';
