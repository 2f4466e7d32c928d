import type { Answered } from '@leadback/db';
import { Refusal } from '@leadback/domain';

/** The result of the request, or of the one that came first with its key. Throws where that one cannot be given. */
export const idempotentResult = <Result>(answered: Answered<Result>) => {
  switch (answered.kind) {
    case 'answered':
      return answered;
    case 'running':
      throw new Refusal(
        'idempotency-in-progress',
        'idempotency-key: the first request with this key is still in progress; try again in a moment',
      );
    case 'key-reused':
      throw new Refusal(
        'idempotency-key-reused',
        'idempotency-key: already used for another request; take a new key for every new request',
      );
  }
};
