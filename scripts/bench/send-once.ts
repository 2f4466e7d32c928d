import { request, type RequestOptions } from 'node:http';

interface Sent extends Pick<RequestOptions, 'method'> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly expected: number;
}

/** Sends one request over a kept connection and reads its response to the end. Throws on any other status. */
export const sendOnce = (url: string, { body, expected, headers, ...options }: Sent): Promise<void> =>
  new Promise((resolve, reject) => {
    const all = { ...options, headers: { 'content-type': 'application/json', ...headers } };
    const sent = request(url, all, (response) => {
      response.resume().once('end', resolve).once('error', reject);
      if (response.statusCode !== expected) reject(new Error(`${url} responded with ${response.statusCode}`));
    });
    sent.once('error', reject).end(body);
  });
