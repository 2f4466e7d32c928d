import { keyedApps, writeAppKeys } from '@leadback/domain/keys';
import { secretsKey, secretsKeys } from '@leadback/testing';
import { z } from 'zod';
import { settingsSchema as api } from '../../../apps/api/src/settings.ts';
import { settingsSchema as console } from '../../../apps/console/src/settings.ts';
import { settingsSchema as feedbackWorker } from '../../../apps/feedback-worker/src/settings.ts';
import { settingsSchema as landing } from '../../../apps/landing/src/settings.ts';
import { settingsSchema as operator } from '../../../apps/operator/src/settings.ts';
import type { KubernetesObject } from './rendered.ts';
import type { Workload } from './workloads.ts';

/** The settings schema of each image. */
export const settingsOfImages: Readonly<Record<string, z.ZodObject>> = {
  'leadback-api': api,
  'leadback-console': console,
  'leadback-feedback-worker': feedbackWorker,
  'leadback-landing': landing,
  'leadback-operator': operator,
};

/** Example values of the secrets, by secret and key. */
export const secrets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'leadback-database': {
    landing: 'postgres://landing@postgres/leadback?sslmode=verify-full',
    api: 'postgres://api@postgres/leadback?sslmode=verify-full',
    'feedback-worker': 'postgres://feedback-worker@postgres/leadback?sslmode=verify-full',
    console: 'postgres://console@postgres/leadback?sslmode=verify-full',
    owner: 'postgres://owner@postgres/leadback?sslmode=verify-full',
  },
  'leadback-rabbitmq': {
    landing: 'amqps://landing@rabbitmq/leadback',
    api: 'amqps://api@rabbitmq/leadback',
    'feedback-worker': 'amqps://feedback-worker@rabbitmq/leadback',
    operator: 'amqps://operator@rabbitmq/leadback',
  },
  'leadback-secrets-key': {
    SECRETS_KEY: secretsKey.toString('base64'),
    ...Object.fromEntries(keyedApps.map((app) => [app, writeAppKeys(secretsKeys, app)])),
  },
};

const configMapSchema = z.object({
  kind: z.literal('ConfigMap'),
  metadata: z.object({ name: z.string() }),
  data: z.record(z.string(), z.string()).default({}),
});

/** The environment of a container; a reference to a missing key gives undefined. */
export const environmentOf = (
  { container }: Workload,
  objects: readonly KubernetesObject[],
): Record<string, string | undefined> => {
  const maps = new Map(
    objects.flatMap((object) => {
      const { data } = configMapSchema.safeParse(object);
      return data ? [[data.metadata.name, data.data] as const] : [];
    }),
  );
  const all = container.envFrom.flatMap(({ configMapRef: { name } }) => Object.entries(maps.get(name) ?? {}));
  const each = container.env.map(({ name, value, valueFrom: { configMapKeyRef: map, secretKeyRef: secret } = {} }) => {
    if (map) return [name, maps.get(map.name)?.[map.key]];
    return [name, secret ? secrets[secret.name]?.[secret.key] : value];
  });
  return Object.fromEntries([...all, ...each]);
};
