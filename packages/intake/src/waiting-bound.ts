import { Refusal } from '@leadback/domain';

/** For batches of requests: a tenth of a second of full load. Those beyond it would wait too long, so they learn it at once. */
export const waitingBound = { waitingMax: 1_000, overflow: () => new Refusal('overloaded') };
