import { request } from 'node:http';

interface Visit {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly form?: Record<string, string>;
  /** Replaces the form. */
  readonly body?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly location: string | undefined;
  readonly html: string;
}

/** Sends one request like a browser, without following redirects. The path is sent byte for byte. */
export type Visitor = (path: string, visit?: Visit) => Promise<Reply>;

const browser = {
  'user-agent':
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
};

/** A browser that visits the server at this URL. */
export const visitorOf = (url: string): Visitor => {
  const { hostname, port } = new URL(url);
  return (path, { method, headers, form, body = form && new URLSearchParams(form).toString() } = {}) =>
    new Promise((resolve, reject) => {
      const options = {
        hostname,
        port,
        path,
        method: method ?? (form ? 'POST' : 'GET'),
        headers: { ...browser, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }), ...headers },
      };
      const sent = request(options, (response) => {
        response.setEncoding('utf8');
        let html = '';
        response.on('data', (text: string) => {
          html += text;
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            location: response.headers.location,
            html,
          }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
};
