import type { Report } from '../report.ts';
import type { ComposeStack } from '../stack/compose-stack.ts';
import { apps } from './hardening.ts';

const stopMaxSeconds = 10;
// not the sandbox, which would forget what it has received
const stopped = apps.filter((app) => app !== 'sandbox');

/** Stops each app, looks at its status, and starts it again. */
export const checkStops = async (stack: ComposeStack, { check }: Report): Promise<void> => {
  await check(`each app stops within ${stopMaxSeconds} s with status 0`, async () => {
    const seen: string[] = [];
    for (const app of stopped) {
      const start = performance.now();
      await stack.compose('stop', app);
      const seconds = (performance.now() - start) / 1_000;
      const { State } = await stack.container(app);
      seen.push(`${app} ${seconds.toFixed(1)} s`);
      if (State.ExitCode !== 0 || seconds > stopMaxSeconds) throw new Error(`${seen.at(-1)}, status ${State.ExitCode}`);
    }
    await stack.compose('up', '--detach', '--wait', '--no-recreate');
    return seen.join(', ');
  });
};
