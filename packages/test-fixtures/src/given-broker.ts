import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type LocalBroker, startRabbitmq } from '@leadback/local-stack';
import { inject } from 'vitest';
import './provided-context.ts';

/** A RabbitMQ of its own, which the test may kill. */
export const givenBroker = async (parent = inject('temporaryFolder')): Promise<LocalBroker> =>
  startRabbitmq({ dir: await mkdtemp(join(parent, 'broker-')) });

/** The URL of a new virtual host on the RabbitMQ that all tests share. */
export const givenVirtualHost = async (): Promise<string> => {
  const response = await fetch(inject('virtualHostsUrl'), { method: 'POST' });
  const body = await response.text();
  if (!response.ok) throw new Error(`no virtual host: ${body}`);
  return body;
};
