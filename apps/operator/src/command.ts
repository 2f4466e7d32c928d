import type { Database, EntityManager } from '@leadback/db';
import type { MasterKeys } from '@leadback/domain/keys';
import type { Platforms } from '@leadback/platforms';
import type { z } from 'zod';
import { withIds } from './names.ts';
import { parseInput } from './parse-input.ts';
import type { ProgressBar } from './progress.ts';
import type { Terminal } from './read-secrets.ts';

export type Environment = Pick<Terminal, 'env' | 'stderr'> & Pick<OperatorContext, 'actor'>;

export interface OperatorContext extends Omit<Terminal, 'stdout'> {
  readonly em: EntityManager;
  /** Who runs the command, for the audit log. */
  readonly actor: string;
  readonly pool: Database['pool'];
  /** Reports progress to standard error if the output is a table. */
  readonly progress: (line: string) => void;
  /** Like `progress`, for work whose size is known. */
  readonly progressBar: ProgressBar;
  readonly secretsKeys: MasterKeys | undefined;
  readonly amqpUrl: string | undefined;
  readonly landingUrl: string;
  readonly apiUrl?: string | undefined;
  readonly consoleUrl: string;
  readonly alertmanagerUrl?: string | undefined;
  readonly databaseUrl: string;
  /** For how long backups have what was erased. */
  readonly backupsKeptDays: number;
  readonly platforms: Platforms;
}

export type Row = Readonly<Record<string, unknown>>;
type Result = Row | readonly Row[];

/** The columns of a list as CSV, which has them also if it is empty: those of nested values as `amount.USD`. */
type Columns<Output> = Output extends readonly (infer Listed extends Row)[]
  ? { readonly columns: readonly ((keyof Listed & string) | `${keyof Listed & string}.${string}`)[] }
  : unknown;

interface CommandDefinition<Input extends z.ZodType, Output extends Result> {
  readonly columns?: readonly string[];
  /** The columns that say most: the others are left out where a table would be wider than the terminal. */
  readonly brief?: readonly string[];
  /** `account create`, or a single word. */
  readonly name: string;
  readonly summary: string;
  /** Flags in the syntax of commander, and their help. */
  readonly options?: readonly (readonly [flags: string, help: string])[];
  /** `<id>` or `[id...]`; `input` parses it as `id`, together with the options. */
  readonly argument?: string;
  readonly input: Input;
  /** Returns what is printed if neither settings nor the database are needed for it; otherwise undefined. */
  readonly runOffline?: (input: z.output<Input>, environment: Environment) => Promise<Output | undefined>;
  /** Returns what is printed. */
  readonly run: (input: z.output<Input>, context: OperatorContext) => Promise<Output>;
  /** The output as a table, if that differs from JSON and CSV; a text is printed as it is. */
  readonly shown?: (output: Output, input: z.output<Input>) => Result | string;
  /** Whether a row sets the exit status to 1. */
  readonly isBad?: (row: Row) => boolean;
}

/** `result` is printed as JSON or CSV, `shown` as a table or as the text that it is. */
export interface CommandOutput {
  readonly result: Result;
  readonly shown: Result | string;
  /** Of a list as CSV, after any others that its rows have. */
  readonly columns: readonly string[];
  /** Of a table that would be too wide; empty: all. */
  readonly brief: readonly string[];
  /** Sets the exit status to 1. */
  readonly isBad: boolean;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly (readonly [flags: string, help: string])[];
  readonly argument: string | undefined;
  /** Undefined: it needs `run`. */
  readonly runOffline: (input: unknown, environment: Environment) => Promise<CommandOutput | undefined>;
  readonly run: (input: unknown, context: OperatorContext) => Promise<CommandOutput>;
}

export const command = <Input extends z.ZodType, Output extends Result>(
  definition: CommandDefinition<Input, Output> & Columns<Output>,
): Command => {
  const outputOf = (result: Output, input: z.output<Input>): CommandOutput => ({
    result,
    shown: definition.shown?.(result, input) ?? result,
    columns: definition.columns ?? [],
    brief: definition.brief ?? [],
    isBad: [result].flat().some((row) => definition.isBad?.(row) === true),
  });
  return {
    name: definition.name,
    summary: definition.summary,
    options: definition.options ?? [],
    argument: definition.argument,
    async runOffline(input, environment) {
      if (!definition.runOffline) return undefined;
      const parsed = parseInput(definition.input, input);
      const result = await definition.runOffline(parsed, environment);
      return result === undefined ? undefined : outputOf(result, parsed);
    },
    async run(input, context) {
      const parsed = parseInput(definition.input, await withIds(definition, input, context.em));
      return outputOf(await definition.run(parsed, context), parsed);
    },
  };
};
