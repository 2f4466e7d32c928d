import { type Outcome, webhookPauses } from '@leadback/domain';
import type { Answered } from '../request.ts';

/**
 * Any 2xx is a delivery. 410 switches the webhook off. All else is retried, also other 4xx: they are errors of a receiver
 * that its developers fix within days, and not of the event.
 */
export const judgeWebhookAnswer = (_body: unknown, { status }: Answered): Outcome => {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'refused', reason: webhookPauses.gone };
  const isRedirect = status >= 300 && status < 400;
  return { kind: 'unavailable', reason: `HTTP ${status}${isRedirect ? ': redirects are not followed' : ''}` };
};
