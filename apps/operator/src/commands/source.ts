import type { SourceField } from '@leadback/core/sources/kind';
import { sourceKinds } from '@leadback/core/sources/kinds/index';
import { sourceReasons } from '@leadback/core/sources/reasons';
import {
  changeSource as change,
  createSource as create,
  deleteSource as remove,
  findListedSource,
  type ListedEvent,
  type ListedSource,
  listSourceEvents,
  listSources as list,
  pauseSource as pause,
  readSourceContent,
  renewSourceUrl as renewUrl,
  replaySource as replay,
  requireKind,
  resumeSource as resume,
  shareWithClick,
  sourcePage,
  sourceUrl,
} from '@leadback/core/sources/sources';
import { dayOrTimeSchema } from '@leadback/domain';
import { z } from 'zod';
import { command, type OperatorContext } from '../command.ts';
import { eachAccountOptions, eachAccountSchema, rowsOfEach } from '../each-account.ts';
import { idSchema, OperatorError, optionFlag } from '../options.ts';
import { fromArgvOption, readSecrets, secretSources } from '../read-secrets.ts';
import { requireSetting } from '../settings.ts';

const valueOf = ({ value, isFile, isSecret }: SourceField): string => {
  if (isFile) return `<${value}>`;
  return isSecret ? '[@file or -]' : `<${value}>`;
};

/** `WooCommerce: the secret that …`; each text once, with the kinds that share it. */
const fieldOptions = (): readonly (readonly [flags: string, help: string])[] => {
  const uses = sourceKinds.flatMap(({ title, fields }) => fields.map((field) => ({ title, field })));
  return [...Map.groupBy(uses, ({ field }) => field.name)].map(([name, same]) => {
    const [value = '<value>'] = same.map(({ field }) => valueOf(field));
    const help = [...Map.groupBy(same, ({ field }) => field.help)]
      .map(([text, sharing]) => `${sharing.map(({ title }) => title).join(', ')}: ${text}`)
      .join('; ');
    return [`${optionFlag(name)} ${value}`, help];
  });
};

const keysOf = ({ secretsKeys }: Pick<OperatorContext, 'secretsKeys'>) => requireSetting('SECRETS_KEY', secretsKeys);

/** A path of a file may stand alone, or behind @ as that of a secret. */
const withFiles = (typed: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const files = new Set(
    sourceKinds.flatMap(({ fields }) => fields.filter(({ isFile }) => isFile).map(({ name }) => name)),
  );
  return Object.fromEntries(
    Object.entries(typed).map(([name, value]) => {
      const isPath = files.has(name) && typeof value === 'string' && value !== '' && !value.startsWith('@');
      return [name, isPath ? `@${value}` : value];
    }),
  );
};

const labelOption = ['--label <text>', 'what the source is called; default: the name of its kind'] as const;

const choices = sourceKinds.map(({ name }) => name).join(', ');

export const createSource = command({
  name: 'source create',
  summary: 'take sales from a shop or service; prints the URL to which it sends, and the secret if one was made',
  options: [
    ['--account <id>', 'account whose sales they are'],
    ['--kind <name>', choices],
    labelOption,
    ['--test', 'all that it brings is a test'],
    ...fieldOptions(),
    fromArgvOption,
  ],
  input: z.looseObject({
    account: idSchema,
    kind: z.string(`expected ${choices}`),
    label: z.string().optional(),
    test: z.boolean().default(false),
  }),
  async run({ account: accountId, kind, label: typedLabel, test: isTest, ...typed }, context) {
    const { pool, actor } = context;
    const content = await readSecrets(withFiles(typed), sourceKinds, secretSources(context));
    const wanted = { actor, accountId, kind, label: typedLabel, isTest, content };
    const { id, label, path, secret } = await create(pool, keysOf(context), wanted);
    return {
      id,
      kind,
      label,
      url: sourceUrl(context.apiUrl, path),
      ...(secret !== undefined && { secret }),
      next: `Give the other side the URL${secret === undefined ? '' : ' and the secret, which is shown once'}, as ${sourcePage(context.apiUrl, requireKind(kind))} says. \`source show ${id}\` tells when its first message has come.`,
    };
  },
});

const eventsOf = ({
  received,
  waiting,
  sales,
  adjustments,
  repeated,
  ignored,
  failed,
  withoutClick,
}: ListedSource) => ({
  received,
  sales,
  adjustments,
  repeated,
  ignored,
  failed,
  withoutClick,
  waiting,
});

export const listSources = command({
  name: 'source list',
  summary: 'list the shops and services from which sales of an account come, with what they told in the last 30 days',
  options: eachAccountOptions('sources'),
  brief: ['accountId', 'id', 'kind', 'label', 'state', 'received', 'sales', 'failed'],
  columns: [
    'id',
    'kind',
    'label',
    'state',
    'reason',
    'isTest',
    'lastEventAt',
    'received',
    'sales',
    'adjustments',
    'repeated',
    'ignored',
    'failed',
    'withoutClick',
    'waiting',
    'refused',
    'refusedAt',
    'createdAt',
  ],
  input: eachAccountSchema,
  run: (wanted, { em }) =>
    rowsOfEach(em, wanted, async (account) =>
      (await list(em, account)).map((source) => ({
        id: source.id,
        kind: source.kind,
        label: source.label,
        state: source.state,
        reason: source.stateReason,
        isTest: source.isTest,
        lastEventAt: source.lastEventAt,
        ...eventsOf(source),
        refused: source.refused,
        refusedAt: source.refusedAt,
        createdAt: source.createdAt,
      })),
    ),
});

const isReason = (reason: string): reason is keyof typeof sourceReasons => Object.hasOwn(sourceReasons, reason);

const reasonOf = ({ reason, message }: ListedEvent): string | undefined => {
  if (reason === null) return undefined;
  const text = isReason(reason) ? sourceReasons[reason].en : reason;
  return message === null ? text : `${text} ${message}`;
};

const recentMax = 20;

export const showSource = command({
  name: 'source show',
  summary: 'what a source told in the last 30 days: how many sales, how many with a click, and its last events',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, context) {
    const { pool } = context;
    const source = await findListedSource(pool, { id });
    const recent = await listSourceEvents(pool, source, { limit: recentMax });
    const { encrypted } = await readSourceContent(pool, keysOf(context), { id });
    return {
      id,
      accountId: source.accountId,
      kind: source.kind,
      label: source.label,
      state: source.state,
      stateReason: source.stateReason,
      isTest: source.isTest,
      url: encrypted && sourceUrl(context.apiUrl, encrypted.path),
      lastEventAt: source.lastEventAt,
      events: eventsOf(source),
      refused: { requests: source.refused, lastAt: source.refusedAt },
      shareWithClick: shareWithClick(source),
      recent: recent.map((event) => ({
        at: event.at,
        event: event.event,
        outcome: event.outcome,
        ...(event.reason !== null && { reason: reasonOf(event) }),
        ...(event.order !== null && { order: event.order }),
        ...(event.conversionId !== null && { conversionId: event.conversionId }),
      })),
    };
  },
});

export const changeSource = command({
  name: 'source change',
  summary: 'change label, settings and secrets; a secret that is replaced is accepted for one more day',
  argument: '<id>',
  options: [labelOption, ...fieldOptions(), fromArgvOption],
  input: z.looseObject({ id: idSchema, label: z.string().optional() }),
  async run({ id, label: typedLabel, ...typed }, context) {
    const { pool, actor } = context;
    const content = await readSecrets(withFiles(typed), sourceKinds, secretSources(context));
    if (typedLabel === undefined && Object.keys(content).length === 0) {
      throw new OperatorError('nothing to change: give an option, see --help');
    }
    return change(pool, keysOf(context), { actor, id, label: typedLabel, content });
  },
});

export const renewSourceUrl = command({
  name: 'source renew-url',
  summary: 'make a new URL, such as because the one before is known to somebody; that one works for one more day',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, context) {
    const { path, earlierUntil } = await renewUrl(context.pool, keysOf(context), { actor: context.actor, id });
    return {
      id,
      url: sourceUrl(context.apiUrl, path),
      earlierUntil,
      next: 'Enter the URL at the other side within a day.',
    };
  },
});

export const pauseSource = command({
  name: 'source pause',
  summary: 'keep what a source sends, and work on it only after `source resume`',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { pool, actor }) {
    const { state, waiting } = await pause(pool, { actor, id });
    return { id, state, waiting, next: `\`source resume ${id}\` works on what waits. Do it within 30 days.` };
  },
});

export const resumeSource = command({
  name: 'source resume',
  summary: 'work on what a source has sent while it was paused, or needed attention',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { pool, actor }) {
    const { state, waiting } = await resume(pool, { actor, id });
    return { id, state, waiting };
  },
});

export const deleteSource = command({
  name: 'source delete',
  summary: 'delete a source, its secrets and all that it has sent; its sales stay, and its URL works no more',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, context) {
    await remove(context.pool, keysOf(context), { actor: context.actor, id });
    return { id, state: 'deleted' };
  },
});

export const replaySource = command({
  name: 'source replay',
  summary: 'work again on what failed, was ignored or had no click in the last 30 days; no sale counts twice',
  argument: '<id>',
  options: [['--since <time>', 'only what was received since this day (UTC) or time']],
  input: z.object({ id: idSchema, since: dayOrTimeSchema.optional() }),
  async run({ id, since }, { pool, actor }) {
    return { id, replayed: await replay(pool, { actor, id, since }) };
  },
});
