import { z } from 'zod';
import deployed from '../../../../deploy/rabbitmq/definitions.json' with { type: 'json' };
import { OperatorError } from '../operator-error.ts';

const perHost = ['permissions', 'exchanges', 'queues', 'bindings', 'policies'] as const;

// as start.sh reads them, which inserts them into the same file
const passwordSchema = z
  .string()
  .regex(/^[A-Za-z0-9._~-]+$/, 'has a character that would need escaping in a URL')
  .optional();

const passwordOf = (placeholder: string, env: NodeJS.ProcessEnv): string | undefined => {
  const name = placeholder.replace(/^\$\{(\w+)\}$/, '$1');
  const { success, data, error } = passwordSchema.safeParse(env[name] === '' ? undefined : env[name]);
  if (!success) throw new OperatorError(`${name} ${error.issues.map(({ message }) => message).join()}`);
  return data;
};

type User = (typeof deployed)['users'][number];

/**
 * The definitions of deploy/rabbitmq for another virtual host. Users have the passwords of the environment; those without
 * one are left out, because an import would give existing users the placeholder as their password.
 */
export const brokerDefinitions = (vhost: string, env: NodeJS.ProcessEnv) => ({
  vhosts: [{ name: vhost }],
  users: deployed.users.flatMap((user): User[] => {
    const password = passwordOf(user.password, env);
    return password === undefined ? [] : [{ ...user, password }];
  }),
  ...Object.fromEntries(perHost.map((kind) => [kind, deployed[kind].map((entry) => ({ ...entry, vhost }))])),
});
