import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { platformList } from '@leadback/platforms';
import { describe, expect, it } from 'vitest';
import { type Declarer, declareHints, declareLeads } from '../../packages/server/src/broker/topology.ts';
import { objects } from '../deploy/kubernetes/manifests.ts';
import { root as repository } from '../support/code-blocks.ts';

/** The exchanges and queues that the apps declare, with their arguments. */
const declared = async (): Promise<unknown[]> => {
  const found: unknown[] = [];
  const declarer: Declarer = {
    assertExchange(exchange, type, options) {
      found.push({ exchange, type, options });
      return Promise.resolve({ exchange });
    },
    assertQueue(queue = '', options = {}) {
      found.push({ queue, options });
      return Promise.resolve({ queue, messageCount: 0, consumerCount: 0 });
    },
    bindQueue(queue, exchange, pattern) {
      found.push({ queue, exchange, pattern });
      return Promise.resolve({});
    },
  };
  await declareHints(declarer);
  await declareLeads(declarer);
  return found;
};

// whole words: Kubernetes' own `metadata` is no platform
const platforms = new RegExp(`\\b(${platformList.map(({ name }) => name).join('|')})\\b`, 'i');

describe('a new platform needs no line', () => {
  it('in the exchanges and queues of RabbitMQ', async () => {
    const parts = await declared();
    expect(parts.length).toBeGreaterThan(5);
    expect(JSON.stringify(parts)).not.toMatch(platforms);
  });

  it('in the permissions of RabbitMQ users', () => {
    const definitions = readFileSync(join(repository, 'deploy', 'rabbitmq', 'definitions.json'), 'utf8');
    expect(definitions).not.toMatch(platforms);
  });

  it('in the objects of Kubernetes', () => {
    expect(objects.length).toBeGreaterThan(10);
    expect(JSON.stringify(objects)).not.toMatch(platforms);
  });
});
