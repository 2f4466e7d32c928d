import { createServer } from 'node:http';

const page = (serviceId: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Target page of the advertiser</title>
<style>
:root{color-scheme:light dark}
body{font:1.0625rem/1.6 system-ui,sans-serif;max-width:40rem;margin:12vh auto;padding:0 1.25rem}
code{font-size:1.1em;padding:.15em .4em;border-radius:.3em;background:color-mix(in srgb,currentColor 10%,transparent);overflow-wrap:anywhere}
</style>
<h1>Target page of the advertiser</h1>
${
  serviceId
    ? `<p>The visitor arrived with <code>serviceId=${serviceId}</code>.</p>
<p>The advertiser stores this lead reference and sends it as <code>leadReference</code> when it registers the client; the
second curl line of <code>npm start</code> shows how.</p>`
    : '<p>The visitor arrived without a lead reference: a bot, or a visit without a landing page.</p>'
}`;

/** Stands in for the target page, where visitors arrive with their lead reference. */
export const demoShop = async (port: number): Promise<AsyncDisposable> => {
  const server = createServer((request, response) => {
    const serviceId = new URL(request.url ?? '/', 'http://localhost').searchParams.get('serviceId') ?? '';
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(page(/^[0-9A-Za-z]{22}$/.test(serviceId) ? serviceId : ''));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
