import { unique } from '@leadback/testing';

interface Failpoint {
  /** Before sending, before receiving, or after the app has handled what it received. */
  readonly moment: 'saying' | 'hearing' | 'heard';
  /** The bytes sent or received. */
  readonly text: string;
  /** Only on connections on which the app has sent this text. */
  readonly onceSaid?: string;
}

/** Parts of the wire protocols. */
export const wire = {
  amqp: { publish: '\0<\0(', deliver: '\0<\0<', ack: '\0<\0P' },
  /** `idle`: ReadyForQuery outside a transaction, so the statement is committed. */
  postgres: { commit: 'Q\0\0\0\u000bcommit\0', idle: 'Z\0\0\0\u0005I' },
} as const;

/**
 * Kills an app that imports `module` at a given point. The app writes `mark` to its log at that moment: a test must check
 * it, or it proves nothing.
 */
export const failpoint = ({ moment, text, onceSaid = '' }: Failpoint): { module: string; mark: string } => {
  const mark = unique('failpoint');
  const module = new URL('./die-at-wire.ts', import.meta.url);
  module.search = new URLSearchParams({ mark, moment, text, onceSaid }).toString();
  return { module: module.href, mark };
};
