import { webhookPauses } from '@leadback/domain';
import type { Codes, Remedy } from '../codes.ts';

const gone: Remedy = {
  words:
    'The receiver responded with 410 Gone, so the webhook was switched off. The partner resumes it when it is back.',
  change: [],
};
const failing: Remedy = {
  words:
    'The receiver has accepted nothing for three days. `feedback list` and `feedback show` tell how it responded. The partner fixes it.',
  change: [],
};
const table: Codes['table'] = { [webhookPauses.gone]: gone, [webhookPauses.failing]: failing };

/** Why Leadback pauses a webhook, and how it works again. */
export const webhookCodes: Codes = {
  table,
  meaningOf: (reason) => table[reason],
  otherRemedy: {
    words: 'The partner or an operator has paused the webhook, or what is stored of it cannot be used.',
    change: [],
  },
};
