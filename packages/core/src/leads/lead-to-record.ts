import type { NewLead } from '@leadback/domain';

/** A lead, and the time of the visit if that is not now (ISO 8601). */
export interface LeadToRecord extends NewLead {
  readonly visitedAt?: string;
}
