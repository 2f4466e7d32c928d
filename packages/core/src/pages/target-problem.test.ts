import { describe, expect, it } from 'vitest';
import { targetProblem } from './pages.ts';

const live = 'https://go.example.com';

describe('the target of a page', () => {
  it.each([
    'https://shop.example/offer',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://localhost.example/',
  ])('may be %s', (target) => {
    expect(targetProblem(target, live)).toBeUndefined();
  });

  it.each([
    'https://10.0.0.1/',
    'https://192.168.1.1/admin',
    'https://169.254.169.254/',
    'https://0x7f.1/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://127.0.0.1/',
    'http://localhost:5432/',
    'https://localhost./',
    'https://app.localhost/',
    'https://router/',
    'https://printer.local/',
    'https://metadata.google.internal/',
  ])('is not %s', (target) => {
    expect(targetProblem(target, live)).toContain('must be a public host');
  });

  it.each(['http://127.0.0.1:3000', 'http://localhost:8080', 'http://landing-a.localhost:8080', 'http://[::1]:3000'])(
    'may be on this machine if landing is at %s, and then in no other network',
    (landing) => {
      for (const target of ['http://localhost:4000/', 'http://127.0.0.1:4000/', 'https://shop.example/']) {
        expect(targetProblem(target, landing)).toBeUndefined();
      }
      expect(targetProblem('https://10.0.0.1/', landing)).toContain('must be a public host');
    },
  );
});
