import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@leadback/testing';
import { expect } from 'vitest';
import { givenPorts, givenStack, type TestStack } from './given-stack.ts';
import { type Entry, givenLedger, type Ledger } from './ledger.ts';

interface Killing {
  /** How often at most. */
  readonly times: number;
  readonly isWorking: () => Promise<boolean>;
  /** What changes with each piece of work. */
  readonly progress: () => Promise<unknown>;
}

/** A worker and the ledger of one partner, whose api instances are killed. */
export interface KilledApis extends AsyncDisposable {
  readonly stack: TestStack;
  readonly ledger: Ledger;
  /** Starts two instances. */
  startTwo(): Promise<void>;
  /**
   * Kills both instances whenever some more work is done, starts them again, and waits for the end of the work. Returns how
   * often there was work left.
   */
  killWhile(killing: Killing): Promise<number>;
}

export const givenKilledApis = async (): Promise<KilledApis> => {
  const stack = await givenStack();
  const ledger = await givenLedger(stack, 1);
  await stack.start('feedback-worker');
  const ports = await givenPorts();
  const startTwo = async () => {
    await Promise.all([stack.start('api'), stack.start('api', { ports })]);
  };
  return {
    stack,
    ledger,
    startTwo,
    async killWhile({ times, isWorking, progress }) {
      let killedInProgress = 0;
      for (let kill = 0; kill < times; kill += 1) {
        // read first: work that ends now has changed it
        const before = JSON.stringify(await progress());
        if (!(await isWorking())) break;
        const onward = async () => expect(JSON.stringify(await progress())).not.toBe(before);
        await eventually(onward, { interval: 2 });
        await pause((kill % 7) * 4);
        await stack.kill('api');
        if (await isWorking()) killedInProgress += 1;
        await startTwo();
      }
      await eventually(async () => expect(await isWorking()).toBe(false));
      return killedInProgress;
    },
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
};

/** The result of a round of kills. */
export interface Killed {
  /** How often there was work left. On a busy machine, work may end before the kills: then another round is due. */
  readonly inProgress: number;
  /** As of `violationsAfter`. */
  readonly violations: readonly string[];
}

/** The partner of entries that belong to one. */
export const partnerOf = ([entry]: readonly Entry[]): Entry['partner'] => {
  if (!entry) throw new Error('a ledger has at least one entry');
  return entry.partner;
};

/** Entries as the rows of a CSV file, in which each tenth occurs twice. */
export const linesOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ reference, conversion }, index) => {
    const line = `${reference},${String(conversion['clientExternalReference'])},10,USD`;
    return index % 10 === 0 ? [line, line] : [line];
  });

export const fileOf = (lines: readonly string[]): string =>
  `conversionExternalReference,clientExternalReference,amount,currency\n${lines.join('\n')}\n`;
