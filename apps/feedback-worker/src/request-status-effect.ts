import type { RequestStatusEffect } from '@leadback/db';
import type { PlatformName } from '@leadback/domain';
import { eventTooOld, type Finding, type RequestStatus } from '@leadback/platforms';

type FinalVerdict = Extract<RequestStatus, { kind: 'final' }>;

// more would be no help to whoever reads it
const reasonsMax = 10;

const delivered = (note: string | null): RequestStatusEffect => ({
  state: 'delivered',
  reason: null,
  pauseMs: null,
  isOfAll: false,
  refusal: null,
  note,
});

const closed = (state: 'failed' | 'skipped', reason: string): RequestStatusEffect => ({
  ...delivered(null),
  state,
  reason,
  isOfAll: true,
});

const spoken = (platform: PlatformName) => platform.charAt(0).toUpperCase() + platform.slice(1);

/** The connection is refused: its reason begins with the platform's word, by which the advice is found. */
const refused = (platform: PlatformName, { reason }: Finding): RequestStatusEffect => ({
  state: 'pending',
  reason,
  pauseMs: null,
  isOfAll: true,
  refusal: `${reason}: ${spoken(platform)} has used no event of a request that it had accepted`,
  note: null,
});

const reasonsOf = (findings: readonly Finding[]) =>
  findings
    .slice(0, reasonsMax)
    .map(({ reason }) => reason)
    .join(', ');

/** Findings about some of many events, in words that stand for "it". */
const someOf = (findings: readonly Finding[], total: number): string => {
  const counts = findings.flatMap(({ events }) => (typeof events === 'number' ? [events] : []));
  // one event may be counted for several reasons
  const sum = Math.min(
    total,
    counts.reduce((all, count) => all + count, 0),
  );
  return `${counts.length < findings.length ? 'some' : sum} of the ${total} events sent together`;
};

const counted = ({ reason, events }: Finding): Finding => ({
  meaning: 'failed',
  events,
  reason: typeof events === 'number' ? `${reason} (${events})` : reason,
});

/**
 * What follows from a platform's last word for the deliveries of a request. A finding that holds for each of them decides
 * their state, and that of the connection if it is refused; one that holds for some, which the platform does not name,
 * becomes a note. What is to be sent again is sent with all its neighbours: the platforms take an event twice and count
 * it once.
 */
export const effectOfRequestStatus = (
  { events, findings }: FinalVerdict,
  { platform, deliveries }: { readonly platform: PlatformName; readonly deliveries: number },
): RequestStatusEffect => {
  const total = Math.max(events, deliveries, 1);
  const isOfAll = (finding: Finding) =>
    total === 1 || finding.events === 'all' || (typeof finding.events === 'number' && finding.events >= total);
  const of = (meaning: Finding['meaning']) => findings.filter((finding) => finding.meaning === meaning);

  const failure = of('failed').find(isOfAll);
  if (failure) return closed('failed', failure.reason);
  if (of('too_old').some(isOfAll)) return closed('skipped', eventTooOld);
  const refusal = of('refused').find(isOfAll);
  if (refusal) return refused(platform, refusal);

  const said = (found: readonly Finding[], sentence: (it: string) => string): string[] => {
    const ofAll = found.filter(isOfAll);
    const ofSome = found.filter((finding) => !isOfAll(finding));
    return [
      ...(ofAll.length > 0 ? [`${sentence('it')}: ${reasonsOf(ofAll)}`] : []),
      ...(ofSome.length > 0
        ? [`${sentence(someOf(ofSome, total))}: ${reasonsOf(ofSome.map(counted))}; it does not say which`]
        : []),
    ];
  };
  const name = spoken(platform);
  const again = of('again');
  const passing = again.filter((finding) => !isOfAll(finding));
  const sentences = [
    ...said([...of('failed'), ...of('too_old'), ...passing], (it) => `${name} could not use ${it}`),
    ...said(
      [...of('refused'), ...of('settings')],
      (it) => `${name} did not use ${it}, for how the account is set up there`,
    ),
    ...said(of('warning'), (it) => `${name} used ${it} with a warning`),
  ];
  const note = sentences.length > 0 ? sentences.join('. ') : null;
  if (again.length === 0) return delivered(note);
  const pauseMs = Math.max(...again.map((finding) => finding.pauseMs ?? 0));
  return {
    state: 'pending',
    reason: reasonsOf(again),
    pauseMs,
    isOfAll: passing.length < again.length,
    refusal: null,
    note,
  };
};

/** What follows where a platform has not said in time what became of a request. */
export const effectOfSilence = (platform: PlatformName): RequestStatusEffect =>
  delivered(`${spoken(platform)} has not said what became of it`);
