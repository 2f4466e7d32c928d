import type { AccountMode } from '@leadback/domain';

/** Who acts on the webhooks of an account and mode. */
export interface WebhookCaller extends AccountMode {
  /** For the audit log: the email of a person, or `key 7`. */
  readonly actor: string;
}

type Verb = 'create' | 'change' | 'pause' | 'resume' | 'delete' | 'rotate-secret' | 'test' | 'retry';

/** The entry of the audit log about an action on a webhook. */
export const webhookEntry = (
  { actor, accountId }: WebhookCaller,
  verb: Verb,
  id: number,
  details: Readonly<Record<string, unknown>> = {},
) => ({ actor, action: `webhook.${verb}`, accountId, target: `webhook ${id}`, details });

/** A URL as the audit log may show it for ever: paths and queries may contain secrets of the receiver. */
export const auditedUrl = (url: string): string => `${new URL(url).origin}/…`;
