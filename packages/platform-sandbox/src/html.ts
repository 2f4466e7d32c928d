/** HTML text. Only `html` creates it, so that no page contains unescaped text. */
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

/** Escapes everything that is inserted into the template. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  text: String.raw({ raw: strings }, ...parts.map(escaped)),
});
