import type { BenchStack } from './bench-stack.ts';
import type { Figures } from './figures.ts';
import type { LoadGenerator } from './load/load-generator.ts';

export interface PartSettings {
  /** How long each measurement lasts, without warm-up. */
  readonly seconds: number;
  /** Connections of the load generator. */
  readonly callers: number;
  /** Of the backlog. */
  readonly rows: number;
  readonly connections: number;
  readonly platform: 'google' | 'meta';
  /** How long the platform takes to respond. */
  readonly delayMs: number;
  readonly rounds: number;
  /** Rows of the growing tables. */
  readonly sizes: readonly number[];
}

export interface Bench {
  readonly settings: PartSettings;
  readonly generator: LoadGenerator;
  /** Starts empty servers, which stay until the part has ended, or what is given here. */
  readonly open: (ending?: AsyncDisposableStack) => Promise<BenchStack>;
}

export type Measure = () => Promise<Figures>;

/** What is measured in each round, by name. A list is measured in steps: each step of all before the next of any. */
export type Measurements = ReadonlyMap<string, Measure | readonly Measure[]>;

export interface Prepared {
  readonly measurements: Measurements;
  /** What to compare with; prepared for the first checkout only. */
  readonly baselines?: () => Promise<Measurements>;
  /** The process whose CPU profile is worth a picture, during the first of the measurements. */
  readonly profiledPid?: number;
}

export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** A figure with a target, divided by the same figure of another measurement of the same round if there is one. */
export interface Goal {
  readonly measurement: string;
  readonly figure: string;
  readonly beside?: string;
  readonly target: Target;
}

/** A part of the benchmark. It has servers of its own, so that its figures do not depend on the other parts. */
export interface Part {
  /** What it does, printed when it begins. */
  readonly does: (settings: PartSettings) => string;
  readonly goals: (settings: PartSettings) => readonly Goal[];
  readonly prepare: (bench: Bench) => Promise<Prepared>;
  /** Default: `--rounds`. */
  readonly rounds?: number;
}
