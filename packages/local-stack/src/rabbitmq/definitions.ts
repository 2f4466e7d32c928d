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
});

type OfHost = z.infer<typeof ofHostSchema>;

/** The virtual host that the apps have to themselves. */
export const ownVirtualHost = 'leadback';

/** Who may do everything on a broker of this machine. In production nobody may. */
export const administrator = 'guest';

const deployed = () => definitionsSchema.parse(JSON.parse(readFileSync(deployedFile, 'utf8')));

/** A virtual host as it is deployed, in RabbitMQ's format: what the apps may do there, and what the api may not make. */
export const hostDefinitions = (vhost: string) => {
  const { permissions, exchanges, queues, bindings } = deployed();
  const here = (entries: OfHost): OfHost => entries.map((entry) => ({ ...entry, vhost }));
  const all = { user: administrator, vhost, configure: '.*', write: '.*', read: '.*' };
  return {
    vhosts: [{ name: vhost }],
    permissions: [...here(permissions), all],
    exchanges: here(exchanges),
    queues: here(queues),
    bindings: here(bindings),
  };
};

/** What a broker of this machine is told at every start. Everybody's password is their name. */
export const brokerDefinitions = () => ({
  users: [...deployed().users, { name: administrator, tags: ['administrator'] }].map((user) => ({
    ...user,
    password: user.name,
  })),
  ...hostDefinitions(ownVirtualHost),
});
