import { secretsKey } from '@leadback/testing';
import { expect, it } from 'vitest';
import { givenStack } from '../support/given-stack.ts';

it('an app warns at its start if it has the whole SECRETS_KEY, with the command that prints its own, and otherwise not', async () => {
  const whole = secretsKey.toString('base64');
  await using stack = await givenStack();
  await stack.start('landing');
  expect(await stack.timesLogged('landing', 'landing is up')).toBe(1);
  expect(await stack.timesLogged('landing', 'SECRETS_KEY')).toBe(0);
  await stack.kill('landing');
  await stack.start('landing', { settings: { SECRETS_KEY: whole } });
  expect(await stack.timesLogged('landing', 'print them with `operator secrets keys --app landing`')).toBe(1);
  expect(await stack.logOf('landing')).not.toContain(whole);
});
