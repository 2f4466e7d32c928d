import { join } from 'node:path';
import { type LocalProcess, localUrl, startProcess } from '@leadback/local-stack';
import { logFolder, root } from './data-folder.ts';

interface ShopSettings {
  readonly port: number;
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
}

/** Starts the example shop, which has the target page where visitors arrive and reports its sales with the SDK. */
export const startDemoShop = ({ port, apiUrl, apiKey, webhookSecret }: ShopSettings): Promise<LocalProcess> =>
  startProcess({
    name: 'shop',
    script: 'src/main.ts',
    cwd: join(root, 'examples', 'express-shop'),
    logFile: join(logFolder, 'shop.log'),
    readyUrl: `${localUrl(port)}/offer`,
    env: {
      PORT: String(port),
      LEADBACK_URL: apiUrl,
      LEADBACK_KEY: apiKey,
      LEADBACK_WEBHOOK_SECRET: webhookSecret,
      // the SDK as it is here, without a build
      NODE_OPTIONS: '--conditions=leadback-source',
    },
  });
