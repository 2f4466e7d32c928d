import type { Answer, PlatformAccess, PlatformEvent, Prepared, SendingMode } from './platform.ts';

// Meta and TikTok accept any code; this one is used for checks only
const checkCode = 'LEADBACK';

/** The field that marks a request as a test; empty for live requests. */
export interface TestMark {
  readonly test_event_code?: string | undefined;
}

interface TestTransport {
  readonly prepare: PlatformAccess['prepare'];
  /** An event with a name that no campaign counts. */
  readonly checkEvent: () => PlatformEvent;
  readonly send: (events: readonly PlatformEvent[], mark: TestMark) => Promise<Answer>;
}

const missingTestCode: Prepared = { kind: 'skipped', reason: 'no_test_event_code' };

/**
 * Access to a platform that takes tests under a test event code. Without a configured code, test events are skipped.
 */
export const accessWithTestEvents = (
  mode: SendingMode,
  testEventCode: string | undefined,
  { prepare, checkEvent, send }: TestTransport,
): PlatformAccess => {
  // never on live requests, which would then count as tests
  const mark = mode === 'test' ? { test_event_code: testEventCode } : {};
  const lacksTestCode = mode === 'test' && testEventCode === undefined;
  return {
    prepare: (conversion, atMs) => (lacksTestCode ? missingTestCode : prepare(conversion, atMs)),
    send: (events) => send(events, mark),
    // marked as a test in addition to its name
    check: () => send([checkEvent()], { test_event_code: testEventCode ?? checkCode }),
  };
};
