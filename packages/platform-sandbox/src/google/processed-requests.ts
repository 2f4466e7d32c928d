import type { Processing } from '../behaviour.ts';

/** An accepted request and the status that is reported later. */
interface ProcessedRequest {
  readonly destinations: readonly unknown[];
  readonly events: number;
  readonly processing: Processing;
}

const requestsMax = 100_000;
const ageMaxMs = 90 * 24 * 60 * 60 * 1000;

type Counts = NonNullable<Processing['errors']>;

// int64 is a string ("JSON Mapping" of proto3)
const counted = (prefix: string, counts: Counts) =>
  counts.map(({ reason, recordCount }) => ({
    recordCount: String(recordCount),
    reason: reason.startsWith('PROCESSING_') ? reason : prefix + reason,
  }));

/** `RequestStatusPerDestination` of google/ads/datamanager/v1/request_status_per_destination.proto. */
const statusOf = (destination: unknown, { events, processing }: ProcessedRequest) => {
  const { status, errors = [], warnings = [] } = processing;
  const errorCounts = counted('PROCESSING_ERROR_REASON_', errors);
  const warningCounts = counted('PROCESSING_WARNING_REASON_', warnings);
  return {
    destination,
    requestStatus: status,
    ...(errors.length > 0 && { errorInfo: { errorCounts } }),
    ...(warnings.length > 0 && { warningInfo: { warningCounts } }),
    eventsIngestionStatus: { recordCount: String(events) },
  };
};

interface Consent {
  readonly adUserData?: string | undefined;
}

interface TakenEvents {
  readonly events: readonly { readonly eventTimestamp: string; readonly consent?: Consent | undefined }[];
  /** Of the request; applies to events that have none of their own. */
  readonly consent?: Consent | undefined;
}

/** The status that Google would report: it accepts events that are too old or deny consent, but cannot use them. */
export const processingOf = ({ events, consent }: TakenEvents, nowMs: number): Processing => {
  const faultOf = (event: TakenEvents['events'][number]) => {
    if (nowMs - Date.parse(event.eventTimestamp) > ageMaxMs) return 'EVENT_TOO_OLD';
    return (event.consent ?? consent)?.adUserData === 'CONSENT_DENIED' ? 'DENIED_CONSENT' : undefined;
  };
  const faults = events.map(faultOf).filter((fault) => fault !== undefined);
  if (faults.length === 0) return { status: 'SUCCESS' };
  return {
    status: faults.length === events.length ? 'FAILED' : 'PARTIAL_SUCCESS',
    errors: [...Map.groupBy(faults, (fault) => fault)].map(([reason, { length: recordCount }]) => ({
      reason,
      recordCount,
    })),
  };
};

/** Accepted requests by id, at most 100 000; then the oldest are removed. */
export const createProcessedRequests = () => {
  const requests = new Map<string, ProcessedRequest>();
  return {
    add: (requestId: string, request: ProcessedRequest) => {
      requests.set(requestId, request);
      for (const oldest of requests.keys()) {
        if (requests.size <= requestsMax) return;
        requests.delete(oldest);
      }
    },
    /** The response to `requestStatus:retrieve`; `undefined` if there is no such request. */
    statusOf: (requestId: string) => {
      const request = requests.get(requestId);
      return request && { requestStatusPerDestination: request.destinations.map((one) => statusOf(one, request)) };
    },
  };
};
