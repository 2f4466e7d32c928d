import { Refusal } from '@leadback/domain';

// one for all, because most of the cost of an error is its stack
const overloaded = new Refusal('overloaded');

/** For batches of requests: a tenth of a second of full load. Those beyond it would wait too long, so they learn it at once. */
export const waitingBound = { waitingMax: 1_000, overflow: () => overloaded };
