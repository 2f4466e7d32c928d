export { type FeedbackConsumer, feedbackConsumer } from './feedback-consumer.ts';
export { type FeedbackPublisher, feedbackPublisher } from './feedback-publisher.ts';
export { type LeadMailbox, leadMailbox } from './lead-mailbox.ts';
export { deadLetterQueue, feedbackExchange, feedbackQueues } from './topology.ts';
