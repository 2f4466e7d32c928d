import { z } from 'zod';
import { webhookTopics } from './webhook-event.ts';

export const webhookUrlMax = 2_000;

/** What a caller chooses to be told of. */
export const webhookTopicsSchema = z
  .array(z.enum(webhookTopics, `expected ${webhookTopics.join(', ')}`), 'expected a list of events')
  .min(1, 'must not be empty');
