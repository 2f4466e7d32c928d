import { describe, expect, it } from 'vitest';
import { optionalText, requiredText } from './fields.ts';

const problems = (schema: ReturnType<typeof requiredText | typeof optionalText>, sent: unknown) =>
  schema.safeParse(sent).error?.issues.map((issue) => issue.message);

describe('text', () => {
  it('trims text before it checks its length', () => {
    expect(requiredText(3).parse('  abc  ')).toBe('abc');
  });

  it('counts the length of text in code points, not in UTF-16 units', () => {
    expect(requiredText(2).parse('😀😀')).toBe('😀😀');
    expect(problems(requiredText(2), '😀😀😀')).toEqual(['longer than 2 characters']);
  });

  it.each([null, undefined, '', '   '])('treats the optional text %j as not sent', (sent) => {
    expect(optionalText(10).parse(sent)).toBeUndefined();
  });

  it.each(['', '   '])('rejects the required text %j', (sent) => {
    expect(problems(requiredText(10), sent)).toEqual(['must not be empty']);
  });

  it.each(['\u0000', 'a\u0000b', 'a\nb', 'a\tb', '\u007f', 'a\u0085'])(
    'rejects the control character in %j',
    (sent) => {
      expect(problems(optionalText(10), sent)).toContain('has control characters');
    },
  );

  it.each(['\ud800', 'a\ud800', 'a\udfff'])('rejects the unpaired surrogate in %j', (sent) => {
    expect(problems(optionalText(10), sent)).toContain('has an unpaired surrogate');
  });

  it.each([1, true, {}, []])('rejects %j as text', (sent) => {
    expect(problems(optionalText(10), sent)).toEqual(['expected a string']);
  });
});
