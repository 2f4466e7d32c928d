import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type LocalBroker, startRabbitmq } from '@leadback/local-stack';
import { inject } from 'vitest';
import './provided-context.ts';

/** A RabbitMQ of its own, which the test may kill. */
export const givenBroker = async (parent = inject('temporaryFolder')): Promise<LocalBroker> =>
  startRabbitmq({ dir: await mkdtemp(join(parent, 'broker-')) });

const asked = async (...command: readonly string[]): Promise<string> => {
  const url = new URL(inject('sharedBrokerUrl'));
  for (const argument of command) url.searchParams.append('argument', argument);
  const response = await fetch(url, { method: 'POST' });
  const body = await response.text();
  if (!response.ok) throw new Error(`the shared RabbitMQ refuses: ${body}`);
  return body;
};

/** The URL of a new virtual host on the RabbitMQ that all tests share. */
export const givenVirtualHost = (): Promise<string> => asked();

/** Runs rabbitmqctl on the RabbitMQ that all tests share, for a virtual host of the test. */
export const ctlOfVirtualHost = (url: string, command: string, ...args: string[]): Promise<string> =>
  asked(command, '--vhost', decodeURIComponent(new URL(url).pathname.slice(1)), ...args);
