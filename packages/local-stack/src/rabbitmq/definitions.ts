import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const deployedFile = join(import.meta.dirname, '../../../../deploy/rabbitmq/definitions.json');

const ofHostSchema = z.array(z.looseObject({ vhost: z.string() }));
const definitionsSchema = z.object({
  users: z.array(z.object({ name: z.string(), tags: z.array(z.string()) })),
  permissions: ofHostSchema,
  exchanges: ofHostSchema,
  queues: ofHostSchema,
  bindings: ofHostSchema,
  policies: ofHostSchema,
});

type OfHost = z.infer<typeof ofHostSchema>;

/** The virtual host of the apps. */
export const ownVirtualHost = 'leadback';

/** Has all permissions on a local broker. There is no such user in production. */
export const administrator = 'administrator';

const deployed = () => definitionsSchema.parse(JSON.parse(readFileSync(deployedFile, 'utf8')));

/** Virtual hosts as deployed, in RabbitMQ's format: permissions of the apps, what the api may not declare, and policies. */
export const hostDefinitions = (names: readonly string[]) => {
  const { permissions, exchanges, queues, bindings, policies } = deployed();
  const inEach = (entries: OfHost): OfHost => names.flatMap((vhost) => entries.map((entry) => ({ ...entry, vhost })));
  const all = { user: administrator, vhost: '', configure: '.*', write: '.*', read: '.*' };
  return {
    vhosts: names.map((name) => ({ name })),
    permissions: inEach([...permissions, all]),
    exchanges: inEach(exchanges),
    queues: inEach(queues),
    bindings: inEach(bindings),
    policies: inEach(policies),
  };
};

/** Loaded by a local broker at every start. All users have the same password. */
export const brokerDefinitions = (password: string) => ({
  users: [...deployed().users, { name: administrator, tags: ['administrator'] }].map((user) => ({ ...user, password })),
  ...hostDefinitions([ownVirtualHost]),
});
