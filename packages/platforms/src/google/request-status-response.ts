import type { Outcome } from '@leadback/domain';
import { judgeReply } from '../judge-reply.ts';
import { type AuthorizedAccess, authorizedCalls } from '../oauth/authorized-calls.ts';
import { parseJson } from '../parse-json.ts';
import type { RequestStatus } from '../platform.ts';
import type { PlatformContext } from '../platform-context.ts';
import { redaction } from '../redact.ts';
import { judgeGoogleError } from './answer.ts';
import { requestStatusOf } from './request-status.ts';

const notLearnt = (outcome: Outcome): RequestStatus => {
  if (outcome.kind === 'delivered') return { kind: 'processing' };
  const { reason } = outcome;
  const retryAfterMs = 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined;
  return retryAfterMs === undefined ? { kind: 'unknown', reason } : { kind: 'unknown', reason, retryAfterMs };
};

/** Retrieves the status of the request with this id ("Diagnostics" of the Data Manager API). */
export const googleRequestStatus = async (
  requestId: string,
  { url, ...access }: AuthorizedAccess & { readonly url: string },
  context: PlatformContext,
): Promise<RequestStatus> => {
  const call = authorizedCalls(access, context);
  const called = await call('GET', { url: `${url}?${new URLSearchParams({ requestId }).toString()}` });
  if (called.kind === 'denied') return notLearnt(called.answer.outcome);

  const { reply, accessToken } = called;
  const verdict =
    reply.kind === 'answered' && reply.status === 200 ? requestStatusOf(parseJson(reply.body)) : undefined;
  if (verdict !== undefined) return verdict;
  const redact = redaction(accessToken);
  return notLearnt(judgeReply(reply, { judge: judgeGoogleError(0), redact, nowMs: context.now() }).outcome);
};
