import { unique } from '@leadback/test-fixtures';

interface Failpoint {
  /** Before it is said, before it is heard, or once the app has dealt with what it heard. */
  readonly moment: 'saying' | 'hearing' | 'heard';
  /** What is said or heard, byte by byte. */
  readonly text: string;
  /** Counts only on connections on which the app has said this before, or says it now. */
  readonly onceSaid?: string;
}

/** What goes over the wire, as far as tests have a use for it. */
export const wire = {
  amqp: { publish: '\0<\0(', deliver: '\0<\0<', ack: '\0<\0P' },
  /** `idle`: the session is ready, and what was asked of it is committed. */
  postgres: { commit: 'Q\0\0\0\u000bcommit\0', idle: 'Z\0\0\0\u0005I' },
} as const;

/**
 * A point at which an app dies as if it were killed: give `module` among its imports. The app writes `mark` to its log
 * at that moment; a test that does not find it there has proven nothing.
 */
export const failpoint = ({ moment, text, onceSaid = '' }: Failpoint): { module: string; mark: string } => {
  const mark = unique('failpoint');
  const module = new URL('./die-at-wire.ts', import.meta.url);
  module.search = new URLSearchParams({ mark, moment, text, onceSaid }).toString();
  return { module: module.href, mark };
};
