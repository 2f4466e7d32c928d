import {
  type NamedEffect,
  type RequestStatusEffect,
  closePlatformRequest,
  type DuePlatformRequest,
  postponePlatformRequest,
  takeDuePlatformRequests,
} from '@leadback/core/delivery/request-status';
import { eventTooOld } from '@leadback/domain';
import type { Finding, RequestStatus, Platforms } from '@leadback/platforms';
import type { Database } from '@leadback/db';
import type { SecretsKeys } from '@leadback/domain/keys';
import type { WorkerEvents, RequestStatusResult } from './events.ts';
import { openConnection } from '@leadback/core/connections/open';

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

/** What findings mean that name no events. A retry sends all of them again: platforms deduplicate events. */
const effectOfUnnamed = (
  findings: readonly Finding[],
  { title, total }: { readonly title: string; readonly total: number },
): RequestStatusEffect => {
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

/** The findings about some events that the platform names, by the position of the event. */
const findingsByEvent = (findings: readonly Finding[]): Map<number, Finding[]> => {
  const byEvent = new Map<number, Finding[]>();
  for (const finding of findings) {
    for (const index of finding.indices ?? []) byEvent.set(index, [...(byEvent.get(index) ?? []), finding]);
  }
  return byEvent;
};

/** What findings mean for an event that the platform names. `others`: the effect on those that it does not name. */
const effectOnEvent = (
  findings: readonly Finding[],
  { title, others }: { readonly title: string; readonly others: RequestStatusEffect },
): RequestStatusEffect => {
  const of = (...meanings: readonly Finding['meaning'][]) =>
    findings.filter(({ meaning }) => meanings.includes(meaning));
  // it concerns some events, so the connection itself is well
  const [failure] = of('failed', 'refused', 'settings');
  if (failure) return closed('failed', failure.reason);
  if (of('too_old').length > 0) return closed('skipped', eventTooOld);
  const again = of('again');
  if (again.length > 0) {
    const pauseMs = Math.max(...again.map((finding) => finding.pauseMs ?? 0));
    return { ...delivered(null), state: 'pending', reason: reasonsOf(again), pauseMs, isOfAll: true };
  }
  if (others.state !== 'delivered') return others;
  const note = `${title} used it with a warning: ${reasonsOf(findings)}`;
  return { ...others, note: [others.note, note].filter((text) => text !== null).join('. ') };
};

/** `others`: the effect on the deliveries of events that the platform does not name. */
interface StatusEffects {
  readonly others: RequestStatusEffect;
  readonly named: readonly NamedEffect[];
}

/**
 * What a final request status means for the deliveries of the request. An event that the platform names has a verdict of its
 * own. A finding about all events decides the state of their deliveries, and that of the connection if it is rejected.
 * A finding about some that the platform does not name becomes a note. `title`: the platform's display name.
 */
export const effectsOfRequestStatus = (
  { events, findings }: FinalStatus,
  request: { readonly title: string; readonly deliveries: number },
): StatusEffects => {
  const { title } = request;
  const total = Math.max(events, request.deliveries, 1);
  const isNamed = (finding: Finding) =>
    finding.indices !== undefined && typeof finding.events === 'number' && finding.events < total;
  const others = effectOfUnnamed(
    findings.filter((finding) => !isNamed(finding)),
    { title, total },
  );
  const byEvent = findingsByEvent(findings.filter(isNamed));
  const alike = Map.groupBy(byEvent, ([, own]) => own.map((finding) => findings.indexOf(finding)).join(' '));
  const named = [...alike.values()].map((group) => ({
    ...effectOnEvent(group[0]?.[1] ?? [], { title, others }),
    indices: group.map(([index]) => index),
  }));
  return { others, named };
};

/** What follows if a platform has not reported the status of a request in time. */
export const effectOfMissingStatus = (title: string): RequestStatusEffect =>
  delivered(`${title} has not reported the request status`);

interface RequestStatusPollerOptions {
  readonly pool: Database['pool'];
  readonly platforms: Platforms;
  readonly secretsKeys: SecretsKeys;
  readonly events: WorkerEvents;
}

const requestsMax = 20;
const halfHourMs = 30 * 60_000;
const pauseMaxMs = 12 * halfHourMs;

const notReported: RequestStatus = { kind: 'unknown', reason: 'the platform reports no request status' };

/** 30 minutes after the first check, then twice as long after each further one, up to six hours. */
const pauseAfter = (checks: number, askedMs = 0) =>
  Math.min(pauseMaxMs, Math.max(askedMs, halfHourMs * 2 ** (checks - 1)));

/**
 * Returns a function that checks the status of requests that platforms accepted, and applies the result to their
 * deliveries. It resolves to whether more are due.
 */
export const requestStatusPoller = ({
  pool,
  platforms,
  secretsKeys,
  events,
}: RequestStatusPollerOptions): (() => Promise<boolean>) => {
  const close = async (request: DuePlatformRequest, verdict: RequestStatus): Promise<RequestStatusResult> => {
    const { title } = platforms[request.connection.platform];
    const { others: effect, named }: StatusEffects =
      verdict.kind === 'final'
        ? effectsOfRequestStatus(verdict, { title, deliveries: request.deliveries })
        : { others: effectOfMissingStatus(title), named: [] };
    await closePlatformRequest(pool, request, { verdict, effect, named });
    if (verdict.kind !== 'final') return 'given_up';
    if (named.some(({ state }) => state !== 'delivered')) return 'named';
    if (effect.refusal !== null) return 'refused';
    if (effect.state === 'pending') return 'again';
    if (effect.state !== 'delivered') return effect.state;
    return effect.note === null ? 'used' : 'noted';
  };

  const fetchStatus = async (request: DuePlatformRequest): Promise<RequestStatus> => {
    try {
      return (
        (await openConnection({ platforms, secretsKeys }, request.connection, 'live').requestStatus?.(request.name)) ??
        notReported
      );
    } catch (error) {
      // an internal error with one connection must not delay others
      events.requestStatusCheckFailed(request, error);
      return { kind: 'unknown', reason: 'internal_error' };
    }
  };

  const check = async (request: DuePlatformRequest): Promise<void> => {
    const verdict = await fetchStatus(request);
    if (verdict.kind === 'final' || request.isLastCheck) {
      events.requestStatusChecked(request, await close(request, verdict));
      return;
    }
    const askedMs = verdict.kind === 'unknown' ? verdict.retryAfterMs : undefined;
    await postponePlatformRequest(pool, request, pauseAfter(request.checks, askedMs));
    events.requestStatusChecked(request, verdict.kind);
  };

  return async () => {
    const due = await takeDuePlatformRequests(pool, requestsMax);
    const checks = await Promise.allSettled(due.map(check));
    // a status that could not be saved is checked again after its lease
    for (const one of checks) if (one.status === 'rejected') throw one.reason;
    return due.length === requestsMax;
  };
};
