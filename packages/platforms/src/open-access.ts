import {
  type AttributedEvent,
  attributedOf,
  consentWithdrawn,
  type DeliverableEvent,
  eventTooOld,
  isLimited,
  type Sharing,
} from '@leadback/domain';
import { notSupported } from './not-supported.ts';
import type { Answer, PlatformAccess, PlatformEvent, Prepared, RequestStatus, SendingMode } from './platform.ts';
import type { PlatformLimits, Transport } from './platform-definition.ts';

// platforms with test codes accept any code; this one is used for checks only
const checkCode = 'LEADBACK';

const skipped = (reason: string): Prepared => ({ kind: 'skipped', reason });

interface AccessOptions {
  readonly mode: SendingMode;
  readonly limits: Pick<PlatformLimits, 'eventAgeMaxMs'>;
  readonly needsConsent: boolean;
  readonly canLimitUse: boolean;
  readonly takesTests: boolean;
  readonly needsTestCode: boolean;
  readonly testCode: string | undefined;
  readonly build: (event: AttributedEvent, atMs: number) => Prepared;
  readonly adjustments: Omit<NonNullable<PlatformAccess['adjustments']>, 'areConfirmed'> | undefined;
  readonly checkEvent: () => PlatformEvent;
  readonly requestKeyOf: PlatformAccess['requestKeyOf'];
}

/** One account's access: adds consent, time, tests and quota, which are the same for all platforms. */
export const openAccess = (
  { send, takeSlot, requestStatus }: Transport,
  { mode, limits, needsTestCode, testCode, build, adjustments, checkEvent, requestKeyOf, ...rules }: AccessOptions,
): PlatformAccess => {
  const test = mode === 'test' ? { code: testCode } : undefined;

  const mayShare = (sharing: Sharing) =>
    !rules.needsConsent || (sharing !== 'refused' && (rules.canLimitUse || !isLimited(sharing)));

  const prepare = (event: DeliverableEvent, atMs: number): Prepared => {
    if (event.kind === 'webhook') return notSupported;
    const { sharing } = attributedOf(event).lead;
    if (sharing === 'withdrawn') return skipped(consentWithdrawn);
    if (!mayShare(sharing)) return skipped('consent');
    if (mode === 'test' && !rules.takesTests) return skipped('no_test_mode');
    if (mode === 'test' && needsTestCode && testCode === undefined) return skipped('no_test_event_code');
    const ageMs = atMs - event.occurredAt.getTime();
    if (ageMs < 0) return { kind: 'early', inMs: -ageMs };
    return ageMs > limits.eventAgeMaxMs ? skipped(eventTooOld) : build(event, atMs);
  };

  const check = async (): Promise<Answer> => {
    const retryAfterMs = await takeSlot?.();
    if (retryAfterMs !== undefined) {
      return { outcome: { kind: 'postponed', reason: 'quota', retryAfterMs }, httpStatus: null, body: null };
    }
    // marked as a test in addition to its name; a platform without tests takes it as a live event, which matches nobody
    return send([checkEvent()], { code: testCode ?? checkCode });
  };

  const statusOf = (retrieve: NonNullable<Transport['requestStatus']>) => ({
    async requestStatus(request: string): Promise<RequestStatus> {
      const retryAfterMs = await takeSlot?.();
      return retryAfterMs === undefined ? retrieve(request) : { kind: 'unknown', reason: 'quota', retryAfterMs };
    },
  });

  return {
    prepare,
    ...(adjustments && {
      adjustments: { ...adjustments, areConfirmed: requestStatus !== undefined && mode === 'live' },
    }),
    send: (events) => send(events, test),
    check,
    ...(takeSlot && { takeSlot }),
    ...(requestKeyOf && { requestKeyOf }),
    ...(requestStatus && statusOf(requestStatus)),
  };
};
