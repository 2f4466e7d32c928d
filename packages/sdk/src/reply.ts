import type { ApiReply } from './attempt.ts';
import { errorCodeOf, LeadbackError } from './leadback-error.ts';

const parse = (text: string): object | undefined => {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
};

/** The error that a reply means. */
export const errorOf = ({ status, headers, text }: ApiReply): LeadbackError => {
  const body = parse(text) ?? {};
  const message = 'message' in body ? String(body.message) : `unexpected response with status ${status}; check baseUrl`;
  const requestId = headers.get('x-request-id') ?? undefined;
  return new LeadbackError({ status, code: errorCodeOf(headers) ?? 'unexpected-response', message, requestId });
};

/** The body of a successful reply. Throws the error of any other reply. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each caller names the type of its endpoint
export const bodyOf = <Body extends object>(reply: ApiReply): Body => {
  const body = reply.status >= 200 && reply.status < 300 ? parse(reply.text) : undefined;
  if (!body) throw errorOf(reply);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API's tests hold its replies to these types
  return body as Body;
};
