import type { Database, EntityManager } from '@leadback/db';
import type { Keys, PlatformName } from '@leadback/domain';
import type { Platform } from '@leadback/platforms';
import type { z } from 'zod';

/** What a command works with. */
export interface OperatorContext {
  readonly em: EntityManager;
  readonly pool: Database['pool'];
  /** Tells people of long work how far it is. */
  readonly progress: (line: string) => void;
  readonly secretsKeys: Keys | undefined;
  readonly amqpUrl: string | undefined;
  readonly landingUrl: string;
  readonly databaseUrl: string;
  readonly platforms: Readonly<Record<PlatformName, Platform>>;
}

export type Row = Readonly<Record<string, unknown>>;
type Result = Row | readonly Row[];

interface CommandDefinition<Input extends z.ZodType, Output extends Result> {
  /** As it is typed: `account create`, or a single word. */
  readonly name: string;
  readonly summary: string;
  /** Options as commander reads them, with a line each. */
  readonly options?: readonly (readonly [flags: string, help: string])[];
  /** `<id>`, or `[id...]` for any number of them. Parsed under the name `id`, together with the options. */
  readonly argument?: string;
  readonly input: Input;
  /** Gives what is printed: a row, or a list of rows. */
  readonly run: (input: z.output<Input>, context: OperatorContext) => Promise<Output>;
  /** The same for people, where they would rather see it in another shape. */
  readonly shown?: (output: Output) => Result;
  /** Whether a row is bad news: the exit status is 1 then. */
  readonly isBad?: (row: Row) => boolean;
}

/** What a command has to say, to programs and to people. */
export interface CommandOutput {
  readonly result: Result;
  readonly shown: Result;
  /** Whether there is bad news in it: the exit status is 1 then. */
  readonly isBad: boolean;
}

/** One command of the operator: what it is called, what it takes, what it does. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly (readonly [flags: string, help: string])[];
  readonly argument: string | undefined;
  readonly run: (input: unknown, context: OperatorContext) => Promise<CommandOutput>;
}

export const command = <Input extends z.ZodType, Output extends Result>(
  definition: CommandDefinition<Input, Output>,
): Command => ({
  name: definition.name,
  summary: definition.summary,
  options: definition.options ?? [],
  argument: definition.argument,
  async run(input, context) {
    const result = await definition.run(definition.input.parse(input), context);
    return {
      result,
      shown: definition.shown?.(result) ?? result,
      isBad: [result].flat().some((row) => definition.isBad?.(row) === true),
    };
  },
});
