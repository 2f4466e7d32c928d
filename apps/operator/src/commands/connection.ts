import { type ConnectionField, type PlatformDescriptor, platformList } from '@leadback/platforms';
import {
  type ConnectionTools,
  changeConnection as change,
  createConnection as create,
  pauseConnection as pause,
  resumeConnection as resume,
  checkConnection as check,
} from '@leadback/core/connections/connections';
import { deleteConnection as remove, endDeliveriesOfDeleted } from '@leadback/core/connections/delete';
import { type BackfillCursor, backfillPart, nothingBackfilled } from '@leadback/core/connections/backfill';
import { daySchema, eventKinds, type PlatformName, webhookName, webhookSettingsSchema } from '@leadback/domain';
import { z } from 'zod';
import { countWaitingDeliveries } from '@leadback/core/delivery/due';
import { PlatformConnection } from '@leadback/db';
import { optionFlag, optionTexts, idSchema, OperatorError } from '../options.ts';
import { type OperatorContext, command } from '../command.ts';
import { eachAccountOptions, eachAccountSchema, rowsOfEach } from '../each-account.ts';
import { requireSetting } from '../settings.ts';
import { resumeAdvice, connectionAdvice, refusalAdvice } from '../connection-advice.ts';
import { fromArgvOption, readSecrets, secretSources } from '../read-secrets.ts';

type Listed = Pick<PlatformDescriptor, 'title' | 'fields'>;

/** A secret has no value on the command line: the user is asked, or it comes from a file or standard input. */
const valueOf = ({ value, isFile, isSecret }: ConnectionField): string => {
  if (isFile) return `<@${value}>`;
  return isSecret ? '[@file or -]' : `<${value}>`;
};

/** `Meta, TikTok: code of "Test events"`; each text once, with the platforms that share it. */
const helpOf = (uses: readonly { readonly title: string; readonly field: ConnectionField }[]): string =>
  [...Map.groupBy(uses, ({ field }) => field.help)]
    .map(([help, sharing]) => `${sharing.map(({ title }) => title).join(', ')}: ${help}`)
    .join('; ');

/** The options for the settings and credentials of all platforms; the schemas of each platform validate them. */
const connectionOptions = (
  platforms: readonly Listed[] = platformList,
): readonly (readonly [flags: string, help: string])[] => {
  const uses = platforms.flatMap(({ title, fields }) => fields.map((field) => ({ title, field })));
  return [...Map.groupBy(uses, ({ field }) => field.name)].map(([name, same]) => {
    const [value = '<value>'] = same.map(({ field }) => valueOf(field));
    return [`${optionFlag(name)} ${value}`, helpOf(same)];
  });
};

/** Throws an OperatorError if SECRETS_KEY is not set. */
const connectionTools = ({
  platforms,
  secretsKeys,
}: Pick<OperatorContext, 'platforms' | 'secretsKeys'>): ConnectionTools => ({
  platforms,
  secretsKeys: requireSetting('SECRETS_KEY', secretsKeys),
  texts: optionTexts,
});

const eventOptions = [
  [
    '--events <kinds>',
    'what is told to the platform, separated by commas: conversion, and lead (a client is registered); default conversion',
  ],
] as const;

const againOption = [
  '--again',
  'also if the account reports to the same destination already: each sale is then reported twice',
] as const;

const labelOption = [
  '--label <text>',
  'what the connection is called in lists, webhooks and the console; default: where it leads',
] as const;

const mappingOptions = [
  [
    '--map-event <name=value...>',
    'what the platform calls conversions with this eventName of the partner: an event name, conversion action id, conversion rule id or conversion name',
  ],
  ['--unmap-event <name...>', 'removes what the platform calls conversions with this eventName'],
] as const;

const expectedKinds = `expected ${eventKinds.join(', ')}, or both separated by a comma`;
const mapping =
  'expected the eventName of the partner, "=", and what the platform calls it, such as subscription=Subscribe';

const kindsSchema = z
  .string(expectedKinds)
  .transform((list) => [...new Set(list.split(',').map((kind) => kind.trim()))])
  .pipe(z.array(z.enum(eventKinds, expectedKinds)));

const mappingSchema = z
  .array(z.string().regex(/^[^=]*[^=\s][^=]*=./, mapping))
  .transform((all) =>
    all.map((one): [string, string] => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
  );

/** How every table names a connection. */
const calledAs = ({
  id,
  platform,
  label,
  destination,
}: Pick<PlatformConnection, 'id' | 'platform' | 'label' | 'destination'>) => ({
  id,
  platform,
  label: label ?? destination,
  destination,
});

export const changeConnection = (supported = platformList) =>
  command({
    name: 'connection change',
    summary:
      'change label, settings and credentials; "" removes a value. A connection that is held, or gets new credentials, is checked: if it works, it sends what waits',
    argument: '<id>',
    options: [
      labelOption,
      againOption,
      ...eventOptions,
      ...mappingOptions,
      ...connectionOptions(supported),
      fromArgvOption,
    ],
    input: z.looseObject({
      id: idSchema,
      label: z.string().optional(),
      again: z.boolean().default(false),
      events: kindsSchema.optional(),
      mapEvent: mappingSchema.optional(),
      unmapEvent: z.array(z.string()).optional(),
    }),
    async run({ id, ...options }, context) {
      const { pool, actor } = context;
      const tools = connectionTools(context);
      if (Object.keys(options).every((name) => name === 'fromArgvIKnow' || name === 'again'))
        throw new OperatorError('nothing to change: give an option, see --help');
      const { label, again, events, mapEvent, unmapEvent, ...typed } = options;
      const content = await readSecrets(typed, supported, secretSources(context));
      const wanted = { actor, id, label, content, again, receives: { events, mapEvent, unmapEvent } };
      const { connection, check: checked } = await change(pool, tools, wanted);
      const next = checked
        ? connectionAdvice(checked, context.platforms[connection.platform])
        : resumeAdvice(connection);
      return { ...calledAs(connection), state: connection.state, next };
    },
  });

export const checkConnection = command({
  name: 'connection check',
  summary:
    'check a connection with a test event that does not count. A held connection that works then sends what waits; a rejected one is held',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, context) {
    const checked = await check(context.pool, connectionTools(context), { actor: context.actor, id });
    const { connection, outcome, httpStatus, body } = checked;
    const platform = context.platforms[connection.platform];
    return {
      id,
      platform: platform.name,
      state: connection.state,
      works: outcome.kind === 'delivered',
      outcome: outcome.kind,
      httpStatus,
      answer: body,
      advice: connectionAdvice(checked, platform),
    };
  },
  isBad: ({ works }) => works !== true,
});

export const createConnection = (supported = platformList) => {
  const choices = supported.map(({ name }) => name).join(' or ');
  const platformSchema = z.custom<PlatformName>(
    (typed) => supported.some(({ name }) => name === typed),
    `expected ${choices}`,
  );
  return command({
    name: 'connection create',
    summary: 'connect an account to a platform; new conversions are reported there',
    options: [
      ['--account <id>', 'account whose conversions are reported'],
      ['--platform <name>', choices],
      labelOption,
      againOption,
      ...eventOptions,
      ...connectionOptions(supported),
      fromArgvOption,
    ],
    input: z.looseObject({
      account: idSchema,
      platform: platformSchema,
      label: z.string().optional(),
      again: z.boolean().default(false),
      events: kindsSchema.optional(),
    }),
    async run({ account: accountId, platform, label: typedLabel, again, events, ...typed }, context) {
      const { pool, actor } = context;
      const tools = connectionTools(context);
      const content = await readSecrets(typed, supported, secretSources(context));
      const wanted = { actor, accountId, platform, label: typedLabel, content, again, receives: { events } };
      const { id, label, destination, warnings } = await create(pool, tools, wanted);
      return {
        id,
        platform,
        label,
        destination,
        state: 'active',
        checked: false,
        warnings,
        next: `Not checked yet: \`connection check ${id}\` sends a test event. Earlier sales are not reported over it: \`connection backfill ${id} --dry-run\` counts them.`,
      };
    },
  });
};

export const listConnections = command({
  name: 'connection list',
  summary:
    'list the connections of an account to platforms, their states and their pending deliveries, including tests',
  options: eachAccountOptions('connections'),
  brief: ['accountId', 'id', 'platform', 'label', 'state', 'since', 'waiting'],
  columns: [
    'id',
    'platform',
    'label',
    'destination',
    'events',
    'eventNames',
    'state',
    'since',
    'reason',
    'waiting',
    'createdAt',
  ],
  input: eachAccountSchema,
  run: (wanted, { em }) =>
    rowsOfEach(em, wanted, async (account) => {
      const connections = await em.find(
        PlatformConnection,
        { account, platform: { $ne: webhookName }, deletedAt: null },
        { orderBy: { id: 'asc' } },
      );
      const waiting = await countWaitingDeliveries(em, account);
      return connections.map(
        ({ state, stateSince, stateReason, eventKinds: chosenKinds, eventNames, createdAt, ...connection }) => ({
          ...calledAs(connection),
          events: chosenKinds.join(','),
          eventNames: Object.entries(eventNames)
            .map(([name, receives]) => `${name}=${receives}`)
            .join(', '),
          state,
          since: stateSince,
          reason: stateReason,
          waiting: waiting.get(connection.id) ?? 0,
          createdAt,
        }),
      );
    }),
});

export const pauseConnection = command({
  name: 'connection pause',
  summary:
    'stop sending over a connection; pending deliveries and those of conversions that are registered meanwhile wait until `connection resume`',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { pool, actor }) {
    const deliveries = await pause(pool, { actor, id });
    return {
      id,
      state: 'paused',
      deliveries,
      next: `\`connection resume ${id}\` sends what waits. Do it in time: platforms take no events older than 7 days (Meta, TikTok) or 90 days.`,
    };
  },
});

export const resumeConnection = command({
  name: 'connection resume',
  summary: 'send the pending deliveries of a connection that was paused or needed attention',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  run: async ({ id }, { pool, actor }) => ({ id, state: 'active', deliveries: await resume(pool, { actor, id }) }),
});

export const deleteConnection = command({
  name: 'connection delete',
  summary:
    'delete a connection and its credentials: nothing more is reported over it, and another one may be created for its destination. What was reported stays in the history. Refused while deliveries wait for it',
  argument: '<id>',
  options: [['--discard', 'also while deliveries wait: they are skipped, and the platform is never told']],
  input: z.object({ id: idSchema, discard: z.boolean().default(false) }),
  async run({ id, discard: isDiscarding }, context) {
    const { pool, actor } = context;
    const discarded = await remove(pool, connectionTools(context), { actor, id, isDiscarding });
    // killed here, the workers go on
    while (await endDeliveriesOfDeleted(pool));
    return { id, state: 'deleted', discarded };
  },
});

export const backfillConnection = command({
  name: 'connection backfill',
  summary: 'report the sales that a connection was not told of, such as those from before it was created',
  argument: '<id>',
  options: [
    ['--from <day>', "first day of the sales, in the account's time zone; default: the first sale"],
    ['--to <day>', "last day of the sales, in the account's time zone; default: today"],
    ['--dry-run', 'count them and report nothing'],
  ],
  input: z.object({
    id: idSchema,
    from: daySchema.optional(),
    to: daySchema.optional(),
    dryRun: z.boolean().default(false),
  }),
  async run({ id, from, to, dryRun: isDryRun }, { pool, actor, progress }) {
    let sums = nothingBackfilled;
    let after: BackfillCursor | undefined;
    do {
      const part = await backfillPart(pool, { actor, id, from, to, isDryRun, after }, sums);
      ({ sums, next: after } = part);
      progress(`${sums.conversions} sales read, ${sums.queued} ${isDryRun ? 'to report' : 'queued'}`);
    } while (after);
    return {
      connectionId: id,
      ...sums,
      next: isDryRun && sums.queued > 0 ? 'Without --dry-run, they are reported.' : null,
    };
  },
});

export const listWebhooks = command({
  name: 'webhook list',
  summary:
    "list a partner's webhooks, why they are paused, and their pending deliveries; `connection pause`, `resume` and `check` take their ids",
  options: eachAccountOptions('webhooks'),
  brief: ['accountId', 'id', 'url', 'state', 'reason', 'waiting'],
  columns: ['id', 'url', 'events', 'isTest', 'state', 'reason', 'waiting', 'lastAcceptedAt', 'createdAt', 'next'],
  input: eachAccountSchema,
  run: (wanted, { em, platforms }) =>
    rowsOfEach(em, wanted, async (account) => {
      const own = { account, platform: webhookName, deletedAt: null } as const;
      const webhooks = await em.find(PlatformConnection, own, { orderBy: { id: 'asc' } });
      const waiting = await countWaitingDeliveries(em, account);
      return webhooks.map((webhook) => {
        const {
          id,
          settings,
          eventKinds: chosenKinds,
          isTest,
          state,
          stateReason,
          lastAcceptedAt,
          createdAt,
        } = webhook;
        return {
          id,
          url: webhookSettingsSchema.parse(settings).url,
          events: chosenKinds.join(','),
          isTest,
          state,
          reason: stateReason,
          waiting: waiting.get(id) ?? 0,
          lastAcceptedAt,
          createdAt,
          next:
            state === 'active' || stateReason == null ? null : refusalAdvice(webhook, platforms.webhook, stateReason),
        };
      });
    }),
});

type ListedConnection = Pick<PlatformDescriptor, 'title' | 'fields' | 'credentialKinds'>;

interface Row {
  readonly title: string;
  readonly option: string;
  readonly help: string;
}

/** `or` before the first credential of a further kind, `with` before its other ones. */
const joinOf = (name: string, kinds: ListedConnection['credentialKinds']): string => {
  const kind = kinds.findIndex((names) => names.includes(name));
  if (kind <= 0) return '';
  return kinds[kind]?.[0] === name ? 'or ' : 'with ';
};

const rowsOf = ({ title, fields, credentialKinds }: ListedConnection): readonly Row[] =>
  fields.map(({ name, isRequired, help }) => ({
    title,
    option: `${joinOf(name, credentialKinds)}\`${optionFlag(name)}\`${isRequired ? '' : ' (optional)'}`,
    help,
  }));

/** What docs/reference/connections.md lists: every setting and credential of a connection, in Markdown. */
export const connectionTable = (platforms: readonly ListedConnection[] = platformList): string => {
  const lines = Map.groupBy(platforms.flatMap(rowsOf), ({ option, help }) => `- ${option}: ${help}`);
  const titlesOf = (same: readonly Row[]) =>
    same.length === platforms.length ? 'All platforms' : same.map(({ title }) => title).join(' and ');
  const sections = Map.groupBy(lines, ([, same]) => titlesOf(same));
  return [...sections].map(([titles, own]) => `## ${titles}\n\n${own.map(([line]) => line).join('\n')}`).join('\n\n');
};
