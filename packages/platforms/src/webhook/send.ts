import type { LookupAddress } from 'node:dns';
import type { WebhookCredentials } from '@leadback/domain';
import {
  checkedLookup,
  defaultPorts,
  type EgressOptions,
  type ProblemCode,
  readUrl,
  type Resolve,
  resolveHost,
} from '@leadback/egress';
import { judgeReply } from '../judge-reply.ts';
import type { Answer } from '../platform.ts';
import { redaction } from '../redact.ts';
import { createRequest, type MakeRequest, type Reply } from '../request.ts';
import { secondMs } from '../span.ts';
import { judgeWebhookAnswer } from './answer.ts';
import { signedHeaders } from './sign.ts';

export interface WebhookTuning extends Partial<EgressOptions> {
  /** PEM: trusted instead of the usual certificate authorities. */
  readonly certificateAuthority?: string | undefined;
  /** Default: DNS. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
  readonly now?: () => number;
  readonly requestTimeoutMs?: number;
}

/** Sends an event as it was prepared. Never throws. */
export type SendWebhook = (
  url: string,
  credentials: WebhookCredentials,
  message: { readonly id: string; readonly body: string },
) => Promise<Answer>;

// One word for all that happens in the network: which failure it was, or how long it took, would tell the partner what is
// at an address. Only what is refused before there is a connection keeps its code.
const refusedBefore: ReadonlySet<string> = new Set<ProblemCode>([
  'PRIVATE_ADDRESS',
  'HTTPS_REQUIRED',
  'PORT_NOT_ALLOWED',
]);

const requested = async (
  request: MakeRequest,
  given: string,
  { resolve, ...egress }: EgressOptions & { readonly resolve: Resolve },
  content: Omit<Parameters<MakeRequest>[1], 'url'>,
): Promise<Reply> => {
  const read = readUrl(given, egress);
  if ('problem' in read) return { kind: 'unreachable', code: read.problem };
  const { url, isSecure, port } = read;
  const dnsLookup = checkedLookup({ ...egress, isSecure, port, resolve });
  const reply = await request('POST', { ...content, url: url.href, dnsLookup });
  if (reply.kind === 'answered' || refusedBefore.has(reply.code)) return reply;
  return { kind: 'unreachable', code: 'unreachable' };
};

/**
 * Every attempt resolves the host name again, checks all its addresses, and connects to one that it has checked. Each has
 * a connection of its own: an open one would be used past the check.
 */
export const webhookSender = ({
  allowLoopback = false,
  ports = defaultPorts,
  certificateAuthority,
  resolve = resolveHost,
  now = Date.now,
  requestTimeoutMs: timeoutMs = 10 * secondMs,
}: WebhookTuning = {}): SendWebhook => {
  // the response is read for the log alone
  const request = createRequest({ keepAlive: false, bodyBytesRead: 65_536, certificateAuthority });
  return async (url, credentials, { id, body }) => {
    const headers = { 'content-type': 'application/json', ...signedHeaders(credentials, { id, body, nowMs: now() }) };
    const reply = await requested(request, url, { allowLoopback, ports, resolve }, { headers, body, timeoutMs });
    const { pathname, search } = URL.canParse(url) ? new URL(url) : { pathname: '', search: '' };
    return judgeReply(reply, {
      judge: judgeWebhookAnswer,
      redact: redaction(credentials, url, pathname, search),
      nowMs: now(),
    });
  };
};
