import { compareWithSandbox } from '@leadback/core/connections/connections';
import { findAccount } from '@leadback/core/accounts/accounts';
import { PlatformConnection } from '@leadback/db';
import { webhookName } from '@leadback/domain';
import type { ExampleAnswer, Platforms } from '@leadback/platforms';
import { z } from 'zod';
import { command, type OperatorContext, type Row } from '../command.ts';
import { connectionAdvice } from '../connection-advice.ts';
import { idSchema, OperatorError } from '../options.ts';
import { requireSetting } from '../settings.ts';

type Compared = Awaited<ReturnType<typeof compareWithSandbox>>;

const count = ({ examples = [] }: Compared, differs: boolean | null) =>
  examples.filter((example) => example.differs === differs).length;

const noteOf = ({ connection, examples, stoppedBy }: Compared, { platforms }: Pick<OperatorContext, 'platforms'>) => {
  const platform = platforms[connection.platform];
  if (examples === undefined) return `${platform.title} has no test mode: nothing was sent`;
  return stoppedBy === undefined ? null : connectionAdvice({ connection, outcome: stoppedBy, sent: 0 }, platform);
};

const versionOf = (destination: Platforms[keyof Platforms]) =>
  'apiVersion' in destination ? destination.apiVersion.version : null;

const described = ({ outcome, httpStatus, code }: ExampleAnswer): string =>
  [outcome, httpStatus === null ? undefined : `HTTP ${httpStatus}`, code ?? undefined]
    .filter((part) => part !== undefined)
    .join(', ');

const markOf = (differs: boolean | null): string => {
  if (differs === null) return 'no response';
  return differs ? 'DIFFERENT' : 'same';
};

export const checkPlatforms = command({
  name: 'platforms check',
  summary:
    "compare the platforms with the sandbox. Examples are sent over an account's connections as tests that no campaign counts; each response that is not the sandbox's is marked",
  options: [['--account <id>', 'account whose connections are used']],
  input: z.object({ account: idSchema }),
  async run({ account }, context) {
    const { em, pool, platforms, progress } = context;
    await findAccount(em, account);
    const connections = await em.find(
      PlatformConnection,
      { account, platform: { $ne: webhookName }, deletedAt: null },
      { orderBy: { id: 'asc' } },
    );
    if (connections.length === 0) throw new OperatorError(`account ${account} has no connection to a platform`);
    const tools = { platforms, secretsKeys: requireSetting('SECRETS_KEY', context.secretsKeys) };
    const at = new Date();
    const all: Compared[] = [];
    for (const { id, platform } of connections) {
      progress(`connection ${id} (${platform})`);
      all.push(await compareWithSandbox(pool, tools, { id }));
    }
    return {
      account,
      at,
      connections: all.map((one) => ({
        connection: one.connection.id,
        platform: one.connection.platform,
        apiVersion: versionOf(platforms[one.connection.platform]),
        sent: one.examples === undefined ? 0 : one.examples.length - count(one, null),
        differences: count(one, true),
        unanswered: count(one, null),
        note: noteOf(one, context),
      })),
      examples: all.flatMap(({ connection: { id, platform }, examples = [] }) =>
        examples.map(({ about, answer, sandbox, differs }) => ({
          connection: id,
          platform,
          example: about,
          answer,
          sandbox,
          differs,
        })),
      ),
      differences: all.reduce((sum, one) => sum + count(one, true), 0),
      unanswered: all.reduce((sum, one) => sum + count(one, null), 0),
    };
  },
  shown: ({ account, at, connections, examples, differences, unanswered }): Row => ({
    account,
    at,
    differences,
    unanswered,
    connections,
    examples: examples.map(({ connection, platform, example, answer, sandbox, differs }) => ({
      connection,
      platform,
      example,
      platformAnswers: answer && described(answer),
      sandboxAnswers: described(sandbox),
      result: markOf(differs),
      words: answer?.words ?? null,
    })),
  }),
  isBad: ({ differences, unanswered }) => differences !== 0 || unanswered !== 0,
});
