import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { ActionRefused } from './action-refused.ts';

// 10^8 guesses: far more than anybody can make who is limited to six a minute, and more than most lists of stolen passwords
const scoreMin = 3;

let estimator: Promise<ZxcvbnFactory> | undefined;

// a megabyte of common passwords, which few processes need
const load = async (): Promise<ZxcvbnFactory> => {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Factory({ dictionary, graphs: adjacencyGraphs });
};

/** Throws `ActionRefused` for a password that is common, or follows from one, from a pattern or from the person's email. */
export const refuseGuessable = async (password: string, email: string): Promise<void> => {
  estimator ??= load();
  const { score } = (await estimator).check(password, [
    'leadback',
    email,
    ...email.split('@'),
    ...email.split(/[^a-z0-9]+/),
  ]);
  if (score >= scoreMin) return;
  throw new ActionRefused('guessable', 'password: too easy to guess; take some words that nobody would put together');
};
