import type { Answered } from '@leadback/intake';
import { Refusal } from '@leadback/domain';

/**
 * The result of this request, or of the first one with its idempotency key. Throws `idempotency-in-progress` or
 * `idempotency-key-reused` if there is none to return.
 */
export const idempotentResult = <Result>(answered: Answered<Result>) => {
  switch (answered.kind) {
    case 'answered':
      return answered;
    case 'running':
      throw new Refusal('idempotency-in-progress');
    case 'key-reused':
      throw new Refusal('idempotency-key-reused');
  }
};
