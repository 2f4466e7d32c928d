import { expect, it } from 'vitest';
import { ActionRefused } from './access.ts';
import { refuseGuessable } from './passwords.ts';

const email = 'ana.garcia@shop.example';

it.each([
  'aaaaaaaaaaaa',
  '            ',
  'password1234',
  'leadback2026',
  'ana.garcia2026',
  'qwertyuiop12',
  '12345678901234567890',
  'abcabcabcabc',
])('refuses %j: it is among the first that somebody would guess', async (password) => {
  await expect(refuseGuessable(password, email)).rejects.toThrow(ActionRefused);
});

it.each(['mi perro come pizza', 'correct horse battery', 'kX9#mfLq2pVz', 'ó'.repeat(3) + ' señal marrón'])(
  'accepts %j',
  async (password) => {
    await expect(refuseGuessable(password, email)).resolves.toBeUndefined();
  },
);
