import { z } from 'zod';
import type { Report } from '../report.ts';
import type { ComposeStack } from '../stack/compose-stack.ts';
import { inApp } from './hardening.ts';

const servers = ['postgres:5432', 'rabbitmq:5672'];
const targets = {
  landing: 'landing:3000',
  landingOperations: 'landing:9100',
  api: 'api:3001',
  apiOperations: 'api:9101',
  workerOperations: 'feedback-worker:9102',
  console: 'console:3004',
  sandbox: 'sandbox:3003',
} as const;
const all = [...servers, ...Object.values(targets)];

/** What each app may connect to, besides itself. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  landing: [...servers, targets.landing, targets.landingOperations],
  api: [...servers, targets.api, targets.apiOperations],
  'feedback-worker': [...servers, targets.workerOperations, targets.console, targets.sandbox],
  console: [...servers, targets.workerOperations, targets.console, targets.sandbox],
};

const reachable = (addresses: readonly string[]) => `const { connect } = require('node:net');
  const open = (target) => new Promise((resolve) => {
    const [host, port] = target.split(':');
    const socket = connect(Number(port), host);
    const end = (isOpen) => { socket.destroy(); resolve(isOpen ? [target] : []); };
    setTimeout(() => end(false), 2500);
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
  Promise.all(${JSON.stringify(addresses)}.map(open)).then((open) => { console.log(JSON.stringify(open.flat())); process.exit(); });`;

const list = z.array(z.string());

/** The address of a service's container in one of its networks. */
const ipOf = async (stack: ComposeStack, target: string): Promise<string> => {
  const [service = '', port] = target.split(':');
  const { NetworkSettings } = await stack.container(service);
  const [network] = Object.values(NetworkSettings.Networks);
  return `${network?.IPAddress}:${port}`;
};

/** Connects from each app to everything that there is. */
export const checkNetworks = async (stack: ComposeStack, { check }: Report): Promise<void> => {
  for (const [app, wanted] of Object.entries(allowed)) {
    await check(`${app} reaches what it needs and nothing else`, async () => {
      const seen = list.parse(JSON.parse(await inApp(stack, app, reachable(all))));
      const missing = wanted.filter((target) => !seen.includes(target));
      const more = seen.filter((target) => !wanted.includes(target));
      if (missing.length + more.length > 0) throw new Error(`missing ${missing.join()}, not allowed ${more.join()}`);
      return seen.join(', ');
    });
  }
  await check('landing does not reach the others by their addresses either', async () => {
    const others = [targets.apiOperations, targets.workerOperations, targets.console, targets.sandbox];
    const addresses = await Promise.all(others.map((target) => ipOf(stack, target)));
    const seen = list.parse(JSON.parse(await inApp(stack, 'landing', reachable(addresses))));
    if (seen.length > 0) throw new Error(`it reaches ${seen.join()}`);
  });
  await check('only ports of this machine are published, for it alone', async () => {
    const published = z.array(
      z.object({ Publishers: z.array(z.object({ URL: z.string(), PublishedPort: z.number() })).nullish() }),
    );
    const text = await stack.compose('ps', '--format', 'json');
    const containers = published.parse(
      text
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    );
    const open = containers
      .flatMap(({ Publishers }) => Publishers ?? [])
      .filter(({ PublishedPort }) => PublishedPort > 0);
    const wrong = open.filter(({ URL: host }) => host !== '127.0.0.1');
    if (wrong.length > 0) throw new Error(JSON.stringify(wrong));
    return open.map(({ PublishedPort }) => PublishedPort).join(', ');
  });
};
