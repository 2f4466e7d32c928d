/** Text that is HTML already. Only `html` makes it, so that nothing gets onto a page unescaped. */
export interface Html {
  readonly text: string;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

type Part = string | number | Html | readonly Html[];

const escaped = (part: Part): string => {
  if (typeof part === 'string' || typeof part === 'number') {
    return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? '');
  }
  return 'text' in part ? part.text : part.map(({ text }) => text).join('');
};

/** A piece of HTML: what is written in the template stays, what is put into it is escaped. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  text: String.raw({ raw: strings }, ...parts.map(escaped)),
});
