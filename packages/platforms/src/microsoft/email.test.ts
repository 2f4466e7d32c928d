import { describe, expect, it } from 'vitest';
import { microsoftEmail } from './event.ts';

describe("Microsoft's form of an email", () => {
  // the first two are the examples of help article 60178, "Format and hash the data"
  it.each([
    ['name+withplus@outlook.com', 'name@outlook.com'],
    ['ex.ample@outlook.com', 'example@outlook.com'],
    [' Ana.Paz+shop+2@Example.COM ', 'anapaz@example.com'],
    ['a.n.a@mail.example.co.uk', 'ana@mail.example.co.uk'],
    ['àngel.nuñez@example.com', 'angelnunez@example.com'],
    ['a\u0300ngel@example.com', 'angel@example.com'],
    ['ana paz@example.com', 'anapaz@example.com'],
    ['.ana.@example.com', 'ana@example.com'],
    ['ana_paz-1@example.com', 'ana_paz-1@example.com'],
  ])('Microsoft hashes %j as %j', (written, email) => {
    expect(microsoftEmail(written)).toBe(email);
  });

  it.each(['ana', 'ana@example', 'ana@example.com.', '+shop@example.com', '...@example.com', 'a@b@example.com', ''])(
    'Microsoft gets no email for %j',
    (written) => {
      expect(microsoftEmail(written)).toBeUndefined();
    },
  );
});
