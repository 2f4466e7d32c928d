import type { RequestStatusEffect } from '@leadback/delivery';
import { eventTooOld } from '@leadback/domain';
import type { Finding, RequestStatus } from '@leadback/platforms';

type FinalStatus = Extract<RequestStatus, { kind: 'final' }>;

// further reasons would not help the reader
const reasonsMax = 10;

const delivered = (note: string | null, isConfirmed = false): RequestStatusEffect => ({
  state: 'delivered',
  reason: null,
  pauseMs: null,
  isOfAll: false,
  refusal: null,
  note,
  isConfirmed,
});

const closed = (state: 'failed' | 'skipped', reason: string): RequestStatusEffect => ({
  ...delivered(null),
  state,
  reason,
  isOfAll: true,
});

/** The connection is rejected. Its reason begins with the platform's code, by which the remedy is found. */
const refused = (title: string, { reason }: Finding): RequestStatusEffect => ({
  state: 'pending',
  reason,
  pauseMs: null,
  isOfAll: true,
  refusal: `${reason}: ${title} accepted a request but used none of its events`,
  note: null,
  isConfirmed: false,
});

const reasonsOf = (findings: readonly Finding[]) =>
  findings
    .slice(0, reasonsMax)
    .map(({ reason }) => reason)
    .join(', ');

/** Names the events that the findings concern, in a form that can replace "it". */
const someOf = (findings: readonly Finding[], total: number): string => {
  const counts = findings.flatMap(({ events }) => (typeof events === 'number' ? [events] : []));
  // one event may be counted for several reasons
  const sum = Math.min(
    total,
    counts.reduce((all, count) => all + count, 0),
  );
  return `${counts.length < findings.length ? 'some' : sum} of the ${total} events in the request`;
};

const counted = ({ reason, events }: Finding): Finding => ({
  meaning: 'failed',
  events,
  reason: typeof events === 'number' ? `${reason} (${events})` : reason,
});

/**
 * What a final request status means for the deliveries of the request. A finding about each of them decides their
 * state, and that of the connection if it is rejected. A finding about some of them, which the platform does not name,
 * becomes a note. A retry sends all of them again: platforms deduplicate events. `title`: the platform's display name.
 */
export const effectOfRequestStatus = (
  { events, findings }: FinalStatus,
  { title, deliveries }: { readonly title: string; readonly deliveries: number },
): RequestStatusEffect => {
  const total = Math.max(events, deliveries, 1);
  const isOfAll = (finding: Finding) =>
    total === 1 || finding.events === 'all' || (typeof finding.events === 'number' && finding.events >= total);
  const of = (meaning: Finding['meaning']) => findings.filter((finding) => finding.meaning === meaning);

  const failure = of('failed').find(isOfAll);
  if (failure) return closed('failed', failure.reason);
  if (of('too_old').some(isOfAll)) return closed('skipped', eventTooOld);
  const refusal = of('refused').find(isOfAll);
  if (refusal) return refused(title, refusal);

  const sentencesFor = (found: readonly Finding[], sentence: (it: string) => string): string[] => {
    const ofAll = found.filter(isOfAll);
    const ofSome = found.filter((finding) => !isOfAll(finding));
    return [
      ...(ofAll.length > 0 ? [`${sentence('it')}: ${reasonsOf(ofAll)}`] : []),
      ...(ofSome.length > 0
        ? [`${sentence(someOf(ofSome, total))}: ${reasonsOf(ofSome.map(counted))}; ${title} does not report which ones`]
        : []),
    ];
  };
  const again = of('again');
  const passing = again.filter((finding) => !isOfAll(finding));
  const sentences = [
    ...sentencesFor([...of('failed'), ...of('too_old'), ...passing], (it) => `${title} could not use ${it}`),
    ...sentencesFor(
      [...of('refused'), ...of('settings')],
      (it) => `${title} did not use ${it} because of the account settings there`,
    ),
    ...sentencesFor(of('warning'), (it) => `${title} used ${it} with a warning`),
  ];
  const note = sentences.length > 0 ? sentences.join('. ') : null;
  const isConfirmed = findings.every(({ meaning }) => meaning === 'warning');
  if (again.length === 0) return delivered(note, isConfirmed);
  const pauseMs = Math.max(...again.map((finding) => finding.pauseMs ?? 0));
  return {
    state: 'pending',
    reason: reasonsOf(again),
    pauseMs,
    isOfAll: passing.length < again.length,
    refusal: null,
    note,
    isConfirmed,
  };
};

/** What follows if a platform has not reported the status of a request in time. */
export const effectOfMissingStatus = (title: string): RequestStatusEffect =>
  delivered(`${title} has not reported the request status`);
