import type { FeedbackPublisher } from '@leadback/messaging';
import type { ApiEvents } from './events.ts';
import type { UseCases } from './use-cases/index.ts';

export interface ApiContext extends UseCases {
  readonly publisher: Pick<FeedbackPublisher, 'publish'>;
  readonly events: ApiEvents;
}
