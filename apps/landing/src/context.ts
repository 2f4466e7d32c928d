import type { LandingEvents } from './events.ts';
import type { FindPage } from './find-page.ts';
import type { RecordVisit } from './record-visit.ts';

/** What the handlers of the landing page work with. */
export interface LandingContext {
  readonly findPage: FindPage;
  readonly recordVisit: RecordVisit;
  readonly events: LandingEvents;
}
