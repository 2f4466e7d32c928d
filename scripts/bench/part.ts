import type { BenchStack } from './bench-stack.ts';
import type { Figures } from './figures.ts';

export interface PartSettings {
  /** How long the load lasts, without warm-up. */
  readonly seconds: number;
  /** Connections of the load generator. */
  readonly callers: number;
  /** Of the backlog. */
  readonly rows: number;
  readonly connections: number;
  readonly platform: 'google' | 'meta';
  /** How long the platform takes to respond. */
  readonly delayMs: number;
}

/** A part of the benchmark. It gets empty servers of its own, so that its figures do not depend on the other parts. */
export interface Part {
  /** What it does, printed when it begins. */
  readonly does: (settings: PartSettings) => string;
  readonly run: (stack: BenchStack, settings: PartSettings) => Promise<Figures>;
}
