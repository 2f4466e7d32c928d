import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type LocalBroker, startRabbitmq } from '@leadback/local-stack';
import { inject } from 'vitest';
import './provided-context.ts';

/** A RabbitMQ that nobody else uses, and that may be killed. */
export const givenBroker = async (): Promise<LocalBroker> =>
  startRabbitmq({ dir: await mkdtemp(join(inject('temporaryFolder'), 'broker-')) });

/** The address of a virtual host that nobody else uses, of a RabbitMQ that many do. */
export const givenVirtualHost = async (): Promise<string> => {
  const answer = await fetch(inject('virtualHostsUrl'), { method: 'POST' });
  const said = await answer.text();
  if (!answer.ok) throw new Error(`no virtual host: ${said}`);
  return said;
};
