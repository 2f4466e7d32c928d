// LEADBACK_URL=https://api.example.com/api/v1 LEADBACK_KEY=lb_… PORT=3002 node src/main.ts
import { Leadback } from '@leadback/sdk';
import { shop } from './shop.ts';

const { LEADBACK_URL = '', LEADBACK_KEY = '', LEADBACK_WEBHOOK_SECRET, WOOCOMMERCE_URL, PORT = '3002' } = process.env;

const log = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const leadback = new Leadback({ apiKey: LEADBACK_KEY, baseUrl: LEADBACK_URL });
const options = { leadback, webhookSecret: LEADBACK_WEBHOOK_SECRET, woocommerceUrl: WOOCOMMERCE_URL, log };
const server = shop(options).listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error;
});
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
