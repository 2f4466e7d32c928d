import { givenServer } from '@leadback/testing';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';

export interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const eventSchema = z.object({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});

/** What the public library of Standard Webhooks reads; it throws if no signature is genuine. */
export const verified = ({ headers, body }: Received, secret: string): z.infer<typeof eventSchema> =>
  eventSchema.parse(new Webhook(secret).verify(body, headers));

/** A partner's receiver of webhooks on this machine. */
export const givenReceiver = async () => {
  const received: Received[] = [];
  const answers: { readonly status: number; readonly headers?: Record<string, string> }[] = [];
  let standard = 204;
  let held: Promise<void> | undefined;
  const server = await givenServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      received.push({ path: request.url ?? '', headers, body: Buffer.concat(chunks).toString() });
      const { status, headers: sent = {} } = answers.shift() ?? { status: standard };
      void Promise.resolve(held).then(() =>
        response.writeHead(status, sent).end(status === 204 ? undefined : 'thank you'),
      );
    });
  });
  return {
    url: `${server.url}/leadback`,
    received,
    /** The next responses; after them, the usual one. */
    answer: (...next: typeof answers) => void answers.push(...next),
    answerAlways: (status: number) => {
      standard = status;
    },
    /** It does not respond until the returned function is called. */
    hold: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
