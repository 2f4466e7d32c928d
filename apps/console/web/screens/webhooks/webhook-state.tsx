import type { Webhook } from '../../../src/contract/webhooks.ts';
import { Badge } from '../../parts/badge.tsx';
import { useTexts } from '../../text/language.tsx';
import { webhooksTexts } from './texts.ts';

/** What its pause means; null: it is active. */
export const usePauseWords = (): ((webhook: Webhook) => string | null) => {
  const texts = useTexts(webhooksTexts);
  return ({ state, reason }) => {
    if (state === 'active') return null;
    if (reason === null) return texts.pausedByPerson;
    return texts.pauses[reason] ?? texts.pausedOther(reason);
  };
};

/** Red if Leadback had to pause it, for then it needs somebody. */
export const WebhookState = ({ webhook: { state, reason, isVerified } }: { readonly webhook: Webhook }) => {
  const texts = useTexts(webhooksTexts);
  if (state === 'active' && !isVerified) return <Badge tone="warn">{texts.states.unverified}</Badge>;
  if (state === 'active') return <Badge tone="good">{texts.states.active}</Badge>;
  if (reason === null) return <Badge tone="warn">{texts.states.paused}</Badge>;
  return <Badge tone="bad">{reason === 'gone' ? texts.states.gone : texts.states.failing}</Badge>;
};
