import { json } from 'node:stream/consumers';
import { eventually, givenServer } from '@leadback/testing';
import { z } from 'zod';

const sentSchema = z.object({ data: z.array(z.unknown()) });

export const unavailable = { status: 503, body: {} };
export const invalid = { status: 400, body: { error: { code: 100, message: 'Invalid parameter' } } };
export const tooOld = { status: 400, body: { error: { code: 100, error_subcode: 2804003, message: 'Too old' } } };

interface HeldRequest {
  /** The number of events. */
  readonly events: number;
  readonly pixelId: string;
  /** Default: Meta accepts all of them. */
  answer(wanted?: { readonly status: number; readonly body: unknown }): void;
}

/** Meta, with responses that the test decides. `isHeld`: by pixel id; what is not held is accepted at once. */
export const givenHeldPlatform = async (isHeld: (pixelId: string) => boolean = () => true) => {
  const requests: HeldRequest[] = [];
  let isReleased = false;
  const server = await givenServer((request, response) => {
    void json(request).then((sent) => {
      const events = sentSchema.parse(sent).data.length;
      const pixelId = request.url?.split('/').at(-2) ?? '';
      const answer: HeldRequest['answer'] = ({ status, body } = { status: 200, body: { events_received: events } }) => {
        if (!response.writableEnded)
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      };
      requests.push({ events, pixelId, answer });
      if (isReleased || !isHeld(pixelId)) answer();
    });
  });
  return {
    url: server.url,
    requests,
    /** Waits for the request with this index. */
    request: (index: number): Promise<HeldRequest> =>
      eventually(
        () => {
          const request = requests[index];
          if (request === undefined) throw new Error(`there are ${requests.length} requests`);
          return request;
        },
        { interval: 10 },
      ),
    /** Accepts all open requests, and further ones at once. */
    release: () => {
      isReleased = true;
      for (const request of requests) request.answer();
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
