import { z } from 'zod';
import type { Finding, RequestStatus } from '../platform.ts';
import { judgeProcessingError, shortReason } from './processing-reasons.ts';

// there are about forty reasons; a longer list does not come from Google
const countsMax = 50;

// an int64 is a string, and zero is left out ("JSON Mapping" of proto3)
const count = z
  .union([z.int().min(0), z.string().regex(/^\d{1,15}$/)])
  .transform(Number)
  .catch(0);
const counts = z
  .array(z.object({ recordCount: count, reason: z.string().catch('').transform(shortReason) }))
  .transform((rows) => rows.slice(0, countsMax))
  .catch([]);

const destinationSchema = z.object({
  requestStatus: z.string().catch(''),
  errorInfo: z.object({ errorCounts: counts }).catch({ errorCounts: [] }),
  warningInfo: z.object({ warningCounts: counts }).catch({ warningCounts: [] }),
  eventsIngestionStatus: z.object({ recordCount: count }).catch({ recordCount: 0 }),
});
type Destination = z.infer<typeof destinationSchema>;

const statusSchema = z.object({ requestStatusPerDestination: z.array(destinationSchema).min(1) });

// the enum says FAILED, Google's guide FAILURE
const failures: readonly string[] = ['FAILED', 'FAILURE'];
const endings: readonly string[] = [...failures, 'SUCCESS', 'PARTIAL_SUCCESS'];

const errorsOf = ({ requestStatus, errorInfo: { errorCounts } }: Destination): readonly Finding[] => {
  const findings = errorCounts.flatMap(({ reason, recordCount: events }): Finding[] => {
    const judged = judgeProcessingError(reason);
    return judged === undefined ? [] : [{ ...judged, reason, events }];
  });
  if (requestStatus === 'PARTIAL_SUCCESS' && errorCounts.length === 0) {
    return [{ meaning: 'failed', reason: requestStatus, events: 'some' }];
  }
  if (!failures.includes(requestStatus)) return findings;
  // "All of the records for the destination failed": each record has one of the reasons
  const haveAll = (...wanted: readonly Finding['meaning'][]) =>
    findings.length === errorCounts.length && findings.every(({ meaning }) => wanted.includes(meaning));
  if (findings.length > 0 && (haveAll('refused') || haveAll('too_old'))) {
    return findings.map((finding) => ({ ...finding, events: 'all' }));
  }
  if (!haveAll('failed', 'too_old')) return findings;
  return [{ meaning: 'failed', reason: findings.map(({ reason }) => reason).join(', ') || 'FAILED', events: 'all' }];
};

/**
 * Reads the response to `requestStatus:retrieve` (google/ads/datamanager/v1/request_status_per_destination.proto);
 * `undefined` if it is not one.
 */
export const requestStatusOf = (json: unknown): RequestStatus | undefined => {
  const status = statusSchema.safeParse(json);
  if (!status.success) return undefined;
  const destinations = status.data.requestStatusPerDestination;
  if (!destinations.every(({ requestStatus }) => endings.includes(requestStatus))) return { kind: 'processing' };

  const warnings = destinations.flatMap(({ warningInfo }) =>
    warningInfo.warningCounts.map(
      ({ reason, recordCount: events }): Finding => ({ meaning: 'warning', reason, events }),
    ),
  );
  return {
    kind: 'final',
    events: Math.max(...destinations.map(({ eventsIngestionStatus }) => eventsIngestionStatus.recordCount)),
    findings: [...destinations.flatMap(errorsOf), ...warnings],
  };
};
