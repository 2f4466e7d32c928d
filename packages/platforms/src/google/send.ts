import { z } from 'zod';
import type { Outcome } from '@leadback/domain';
import {
  knownFields,
  type PlatformEvent,
  type SendingMode,
  type Finding,
  type RequestStatus,
  type PlatformContext,
} from '../definition.ts';
import type { GoogleSettings } from './access.ts';
import { hasClickId } from './event.ts';
import { type PlatformResponse, judgeReply, redaction, parseJson, type Reply } from '../exchange.ts';
import { type AuthorizedAccess, authorizedCalls } from '../oauth.ts';
import {
  judgeGoogleResponse,
  judgeGoogleError,
  googleErrorOf,
  forbidsUserData,
  judgeProcessingError,
  shortReason,
} from './codes.ts';

const referringSchema = z.object({ destinationReferences: z.tuple([z.string()]) });

/** The conversion action that an event is about; '' for that of the connection. */
export const conversionActionOf = (event: PlatformEvent): string =>
  referringSchema.safeParse(event).data?.destinationReferences[0] ?? '';

const adsAccount = (accountId: string) => ({ accountType: 'GOOGLE_ADS', accountId });

/** The body of `events:ingest` (google/ads/datamanager/v1/ingestion_service.proto). */
export const ingestBody = (
  { customerId, conversionActionId, loginCustomerId = customerId }: GoogleSettings,
  mode: SendingMode,
  events: readonly PlatformEvent[],
) =>
  knownFields({
    destinations: [...new Set(events.map((event) => conversionActionOf(event) || conversionActionId))].map((action) =>
      knownFields({
        reference: action,
        operatingAccount: adsAccount(customerId),
        loginAccount: loginCustomerId === customerId ? undefined : adsAccount(loginCustomerId),
        productDestinationId: action,
      }),
    ),
    encoding: events.some((event) => 'userData' in event) ? 'HEX' : undefined,
    events,
    validateOnly: mode === 'test' ? true : undefined,
  });

/** The same events with their clicks only; `undefined` if one of them has no click. */
export const byClickAlone = (events: readonly PlatformEvent[]): readonly PlatformEvent[] | undefined =>
  events.every(hasClickId) ? events.map((event) => knownFields({ ...event, userData: undefined })) : undefined;

interface GoogleDestination extends AuthorizedAccess {
  readonly url: string;
  readonly settings: GoogleSettings;
  readonly mode: SendingMode;
}

const reasonsOf = (reply: Reply) =>
  reply.kind === 'answered' ? googleErrorOf(parseJson(reply.body))?.reasons : undefined;

/** Sends events to `events:ingest`, and once more without personal data if Google requires it. */
export const sendToGoogle = async (
  events: readonly PlatformEvent[],
  { url, settings, mode, ...access }: GoogleDestination,
  context: PlatformContext,
): Promise<PlatformResponse> => {
  const call = authorizedCalls(access, context);
  const ingest = (sent: readonly PlatformEvent[]) => call('POST', { url, json: ingestBody(settings, mode, sent) });

  let called = await ingest(events);
  if (called.kind === 'denied') return called.answer;

  const isPermissionDenied = forbidsUserData(reasonsOf(called.reply) ?? []);
  const clicks = isPermissionDenied ? byClickAlone(events) : undefined;
  if (clicks !== undefined) called = await ingest(clicks);
  if (called.kind === 'denied') return called.answer;

  const personal = events.map((event) => [event['adIdentifiers'], event['userData']]);
  const nowMs = context.now();
  const answer = judgeReply(called.reply, {
    judge: judgeGoogleResponse(mode, events.length, nowMs),
    redact: redaction(called.accessToken, personal),
    nowMs,
  });
  // events with a click can be sent without the person; bisecting the request finds them
  const isMixed = isPermissionDenied && clicks === undefined && events.some(hasClickId);
  if (!isMixed || answer.outcome.kind !== 'refused') return answer;
  return { ...answer, outcome: { kind: 'rejected', reason: answer.outcome.reason } };
};

// there are about forty reasons; a longer list does not come from Google
const countsMax = 50;

// an int64 is a string, and zero is left out ("JSON Mapping" of proto3)
const count = z
  .union([z.int().min(0), z.string().regex(/^\d{1,15}$/)])
  .transform(Number)
  .catch(0);

// a request has at most 2000 events
const indicesMax = 2000;
const recordIndices = z
  .array(z.union([z.int().min(0), z.string().regex(/^\d{1,9}$/)]).transform(Number))
  .transform((indices) => [...new Set(indices.slice(0, indicesMax))])
  .catch([]);

const counts = z
  .array(z.object({ recordCount: count, recordIndices, reason: z.string().catch('').transform(shortReason) }))
  .transform((rows) => rows.slice(0, countsMax))
  .catch([]);
type Count = z.infer<typeof counts>[number];

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

/**
 * How many events a count is about and, since version 1.9 of the API, which: `record_indices`, if it names all of them. `sent`:
 * the number of events in the request; 0: not reported.
 */
const eventsOf = (
  { recordCount, recordIndices: indices }: Count,
  sent: number,
): Pick<Finding, 'events' | 'indices'> => {
  const areAll = indices.length > 0 && indices.length >= recordCount;
  const areInside = indices.every((index) => index < (sent || indicesMax));
  return areAll && areInside ? { events: indices.length, indices } : { events: recordCount };
};

const errorsOf = ({
  requestStatus,
  errorInfo: { errorCounts },
  eventsIngestionStatus: { recordCount: sent },
}: Destination): readonly Finding[] => {
  const findings = errorCounts.flatMap((counted): Finding[] => {
    const { reason } = counted;
    const judged = judgeProcessingError(reason);
    return judged === undefined ? [] : [{ ...judged, reason, ...eventsOf(counted, sent) }];
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
  const named = findings.filter(({ indices }) => indices !== undefined);
  const areAllNamed = sent > 0 && new Set(named.flatMap(({ indices = [] }) => indices)).size >= sent;
  if (!haveAll('failed', 'too_old') || areAllNamed) return findings;
  const reason = findings.map((finding) => finding.reason).join(', ') || 'FAILED';
  return [...named, { meaning: 'failed', reason, events: 'all' }];
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

  const warnings = destinations.flatMap(({ warningInfo, eventsIngestionStatus: { recordCount: sent } }) =>
    warningInfo.warningCounts.map(
      (counted): Finding => ({ meaning: 'warning', reason: counted.reason, ...eventsOf(counted, sent) }),
    ),
  );
  return {
    kind: 'final',
    events: Math.max(...destinations.map(({ eventsIngestionStatus }) => eventsIngestionStatus.recordCount)),
    findings: [...destinations.flatMap(errorsOf), ...warnings],
  };
};

const notLearnt = (outcome: Outcome): RequestStatus => {
  if (outcome.kind === 'delivered') return { kind: 'processing' };
  const { reason } = outcome;
  const retryAfterMs = 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined;
  return retryAfterMs === undefined ? { kind: 'unknown', reason } : { kind: 'unknown', reason, retryAfterMs };
};

/** Retrieves the status of the request with this id ("Diagnostics" of the Data Manager API). */
export const googleRequestStatus = async (
  requestId: string,
  { url, ...access }: AuthorizedAccess & { readonly url: string },
  context: PlatformContext,
): Promise<RequestStatus> => {
  const call = authorizedCalls(access, context);
  const called = await call('GET', { url: `${url}?${new URLSearchParams({ requestId }).toString()}` });
  if (called.kind === 'denied') return notLearnt(called.answer.outcome);

  const { reply, accessToken } = called;
  const verdict =
    reply.kind === 'answered' && reply.status === 200 ? requestStatusOf(parseJson(reply.body)) : undefined;
  if (verdict !== undefined) return verdict;
  const nowMs = context.now();
  const judge = judgeGoogleError(0, nowMs);
  return notLearnt(judgeReply(reply, { judge, redact: redaction(accessToken), nowMs }).outcome);
};
