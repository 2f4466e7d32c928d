import { expect, it } from 'vitest';
import { type Importance, passwordQueue } from './password-queue.ts';

const refuse = (): never => {
  throw new Error('refused');
};

const given = () => {
  const { run } = passwordQueue();
  const open: PromiseWithResolvers<void>[] = [];
  const begun: string[] = [];
  const start = (name: string, importance: Importance) =>
    run(
      importance,
      () => {
        begun.push(name);
        const work = Promise.withResolvers<void>();
        open.push(work);
        return work.promise;
      },
      refuse,
    );
  const endOne = async () => {
    open.shift()?.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { start, begun, endOne };
};

it('of the passwords that wait to be checked, those of known browsers come first, and those after many wrong ones last', async () => {
  const { start, begun, endOne } = given();
  const all = [
    start('first', 'beyond'),
    start('second', 'beyond'),
    start('stranger', 'beyond'),
    start('usual', 'usual'),
    start('known', 'known'),
  ];
  await new Promise((resolve) => setImmediate(resolve));
  for (let ended = 0; ended < all.length; ended += 1) await endOne();
  await Promise.all(all);
  expect(begun).toEqual(['first', 'second', 'known', 'usual', 'stranger']);
});

it('passwords of strangers are refused while so many wait that no room for others would be left', async () => {
  const { start, begun, endOne } = given();
  const waiting = Array.from({ length: 7 }, (_, index) => start(`${index}`, 'beyond'));
  await expect(start('one more', 'beyond')).rejects.toThrow('refused');
  const known = start('known', 'known');
  for (let ended = 0; ended < 8; ended += 1) await endOne();
  await Promise.all([...waiting, known]);
  expect(begun.indexOf('known')).toBe(2);
});
