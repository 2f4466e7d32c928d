import type { Answer, PlatformAccess, PlatformEvent, Prepared, SendingMode } from './platform.ts';

// any code is taken; nobody looks under this one
const checkCode = 'LEADBACK';

/** What a request says of itself where its events are tests; nothing where they are live. */
export interface TestMark {
  readonly test_event_code?: string | undefined;
}

interface TestTransport {
  readonly prepare: PlatformAccess['prepare'];
  /** An event of our own name, which no campaign counts. */
  readonly checkEvent: () => PlatformEvent;
  readonly send: (events: readonly PlatformEvent[], mark: TestMark) => Promise<Answer>;
}

const missingTestCode: Prepared = { kind: 'skipped', reason: 'no_test_event_code' };

/** Access to a platform that takes tests under a code of the account's: none are sent where the account has set up none. */
export const accessWithTestEvents = (
  mode: SendingMode,
  testEventCode: string | undefined,
  { prepare, checkEvent, send }: TestTransport,
): PlatformAccess => {
  // never with what is live: it would be taken for a test
  const mark = mode === 'test' ? { test_event_code: testEventCode } : {};
  const lacksTestCode = mode === 'test' && testEventCode === undefined;
  return {
    prepare: (conversion, atMs) => (lacksTestCode ? missingTestCode : prepare(conversion, atMs)),
    send: (events) => send(events, mark),
    // marked as a test on top of its name
    check: () => send([checkEvent()], { test_event_code: testEventCode ?? checkCode }),
  };
};
