import { assertPortFree } from '@leadback/local-stack';
import type { StartSettings } from './settings.ts';

/** The operations ports are consecutive. */
export const portsOf = (settings: StartSettings) => {
  const first = settings.OPERATIONS_PORT_BASE;
  return {
    landing: settings.LANDING_PORT,
    api: settings.API_PORT,
    shop: settings.SHOP_PORT,
    sandbox: settings.SANDBOX_PORT,
    console: settings.CONSOLE_PORT,
    operations: { landing: first, api: first + 1, 'feedback-worker': first + 2, console: first + 3 },
  };
};

export type Ports = ReturnType<typeof portsOf>;

/** Throws if a port is in use; the error names the setting that changes it. */
export const assertPortsFree = async ({ landing, api, shop, sandbox, console, operations }: Ports): Promise<void> => {
  await assertPortFree(landing, 'LANDING_PORT');
  await assertPortFree(api, 'API_PORT');
  await assertPortFree(shop, 'SHOP_PORT');
  await assertPortFree(sandbox, 'SANDBOX_PORT');
  await assertPortFree(console, 'CONSOLE_PORT');
  for (const port of Object.values(operations)) await assertPortFree(port, 'OPERATIONS_PORT_BASE');
};
