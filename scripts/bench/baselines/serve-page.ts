// Bare `node:http`: the same bytes as the landing page, from memory.
import { serve } from './serve.ts';

const { PAGE_URL = '', PAGE_HEADERS = '{}' } = process.env;
// not fetch, which would decompress the page
const { get } = await import('node:http');
const page = await new Promise<{ headers: string[]; body: Buffer }>((resolve, reject) => {
  get(PAGE_URL, { headers: JSON.parse(PAGE_HEADERS) }, (response) => {
    const chunks: Buffer[] = [];
    response
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .once('error', reject)
      .once('end', () => resolve({ headers: response.rawHeaders, body: Buffer.concat(chunks) }));
  }).once('error', reject);
});

// node:http writes these itself
const written = new Set(['date', 'connection', 'keep-alive']);
const headers = page.headers.flatMap((name, index) => {
  const isName = index % 2 === 0;
  return isName && !written.has(name.toLowerCase()) ? [name, page.headers[index + 1] ?? ''] : [];
});

serve((_request, response) => {
  response.writeHead(200, headers).end(page.body);
});
