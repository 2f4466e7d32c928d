import { mkdirSync } from 'node:fs';
import { createDemoAccount, type DemoAccount } from '../../start/demo-account.ts';
import { logFolder } from '../../start/data-folder.ts';
import { startDemoShop } from '../../start/demo-shop.ts';
import { type Carried, carryVisitorThrough } from '../../start/demo-visitor.ts';
import type { Operate } from '../../start/operator.ts';
import { addresses } from './addresses.ts';

const shopPort = Number(new URL(addresses.shop).port);

/** An account for the demonstration, made with operator commands. */
export const givenWalker = (operate: Operate): Promise<DemoAccount> =>
  createDemoAccount(operate, { database: 'compose', shopUrl: `${addresses.shop}/offer` });

/** Takes one visitor from the click through the shop to the platforms' sandbox, as `npm start` does. */
export const walk = async (
  demo: DemoAccount,
  say: (text: string) => void,
  { apiUrl, sandboxUrl }: { readonly apiUrl: string; readonly sandboxUrl: string } = {
    apiUrl: addresses.api,
    sandboxUrl: addresses.sandbox,
  },
): Promise<Carried> => {
  mkdirSync(logFolder, { recursive: true });
  // the shop is on this machine, where the containers cannot call its webhook
  await using _shop = await startDemoShop({ port: shopPort, apiUrl, apiKey: demo.apiKey, webhookSecret: '' });
  return await carryVisitorThrough({ apiUrl, sandboxUrl, demo, say });
};
