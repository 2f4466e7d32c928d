import { describe, expect, it } from 'vitest';
import { optionalText, requiredText } from './text.ts';

const problems = (schema: ReturnType<typeof requiredText | typeof optionalText>, sent: unknown) =>
  schema.safeParse(sent).error?.issues.map((issue) => issue.message);

describe('text', () => {
  it('is trimmed before it is measured', () => {
    expect(requiredText(3).parse('  abc  ')).toBe('abc');
  });

  it('is measured in characters, not in UTF-16 units', () => {
    expect(requiredText(2).parse('😀😀')).toBe('😀😀');
    expect(problems(requiredText(2), '😀😀😀')).toEqual(['longer than 2 characters']);
  });

  it.each([null, undefined, '', '   '])('reads %j as not sent where it is optional', (sent) => {
    expect(optionalText(10).parse(sent)).toBeUndefined();
  });

  it.each(['', '   '])('refuses %j where it is required', (sent) => {
    expect(problems(requiredText(10), sent)).toEqual(['must not be empty']);
  });

  it.each(['a\u0000b', 'a\nb', '\u007f', 'a\u0085'])('refuses the control character in %j', (sent) => {
    expect(problems(optionalText(10), sent)).toContain('has control characters');
  });

  it('refuses a lone surrogate', () => {
    expect(problems(optionalText(10), 'a\ud800')).toContain('has half of a surrogate pair');
  });

  it.each([1, true, {}, []])('refuses %j', (sent) => {
    expect(problems(optionalText(10), sent)).toEqual(['expected a string']);
  });
});
