// Bare `node:http` and `pg`: one INSERT per click, then the redirect with the reference of the lead.
import { randomUUID } from 'node:crypto';
import { ownPool } from './own-pool.ts';
import { serve } from './serve.ts';

const pool = ownPool();
const insert = {
  name: 'insert-lead',
  text: `insert into lead (reference, landing_url, user_agent, ip_address, click_marks) values ($1, $2, $3, $4, $5)`,
};

serve((request, response) => {
  const url = new URL(`http://landing.example${request.url}`);
  const reference = randomUUID();
  const clickMarks = JSON.stringify(Object.fromEntries(url.searchParams));
  const values = [reference, url.href, request.headers['user-agent'], request.socket.remoteAddress, clickMarks];
  void pool.query({ ...insert, values }).then(() => {
    const location = `https://shop.example/offer?serviceId=${reference}`;
    response.writeHead(302, { location, 'content-length': 0 }).end();
  });
});
