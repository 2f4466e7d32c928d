import { type ApiReply, type ApiRequest, AttemptTimeout, attempt } from './attempt.ts';
import { errorCodeOf, LeadbackError } from './leadback-error.ts';
import { pause, retryPauseMs } from './retry-pause.ts';
import type { Settings } from './settings.ts';

/** Resolves to the last reply, whatever its status. Rejects if there is none, or if `signal` is aborted. */
export type Send = (request: ApiRequest) => Promise<ApiReply>;

const isTemporary = ({ status, headers }: ApiReply) =>
  status === 408 || status === 429 || status >= 500 || errorCodeOf(headers) === 'idempotency-in-progress';

const noReply = (error: unknown, { timeoutMs, apiKey }: Settings): LeadbackError => {
  if (error instanceof AttemptTimeout)
    return new LeadbackError({ code: 'timeout', message: `no response within ${timeoutMs} ms` });
  // `fetch failed` alone does not say why
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = (cause instanceof Error ? cause.message : String(cause)).replaceAll(apiKey, '…');
  return new LeadbackError({ code: 'no-response', message: `no response: ${reason}` });
};

/** The only place that retries: the same request with the same idempotency key, until it gets a lasting reply. */
export const sender =
  (settings: Settings): Send =>
  async (request) => {
    const { signal } = request;
    for (let retries = 0; ; retries += 1) {
      signal?.throwIfAborted();
      const reply = await attempt(settings, request).catch((error: unknown) => {
        signal?.throwIfAborted();
        return noReply(error, settings);
      });
      const isFailed = reply instanceof LeadbackError;
      const pauseMs =
        retries < settings.retriesMax && (isFailed || isTemporary(reply))
          ? retryPauseMs(retries, isFailed ? null : reply.headers.get('retry-after'))
          : undefined;
      if (pauseMs === undefined) {
        if (isFailed) throw reply;
        return reply;
      }
      await pause(pauseMs, signal);
    }
  };
