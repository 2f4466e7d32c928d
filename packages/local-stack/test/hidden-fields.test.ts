import { describe, expect, it } from 'vitest';
import { hiddenFieldsIn } from '../src/index.ts';

describe('the hidden fields of a form', () => {
  it('reads hidden fields of a form as a browser sends them', () => {
    const html = `<form><input type="hidden" name="token" value="T"><input name="name" value="Ana">
      <input type="hidden" name="referrer" value="https://x.example/?a=1&amp;b=&quot;&#39;&lt;i&gt;"></form>`;
    expect(hiddenFieldsIn(html)).toEqual({ token: 'T', referrer: `https://x.example/?a=1&b="'<i>` });
  });

  it('decodes entities of hidden fields only once', () => {
    expect(hiddenFieldsIn('<input type="hidden" name="a" value="&amp;lt;&amp;amp;&copy;">')).toEqual({
      a: '&lt;&amp;&copy;',
    });
  });
});
