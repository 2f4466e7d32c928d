import markdownIt from 'markdown-it';

export interface Heading {
  readonly level: 2 | 3;
  readonly text: string;
  readonly id: string;
}

export interface RenderedMarkdown {
  readonly html: string;
  /** In order, for a table of contents. */
  readonly headings: readonly Heading[];
}

// no raw HTML
const markdown = markdownIt();
const { rules } = markdown.renderer;
const { escapeHtml } = markdown.utils;

export { escapeHtml };

/** The anchor that GitHub generates for a heading; `count` headings before have the same text. */
const anchorOf = (heading: string, count: number): string => {
  const anchor = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
  return count === 0 ? anchor : `${anchor}-${count}`;
};

// wide tables and code scroll by themselves; the keyboard reaches them, too
rules['table_open'] = () => '<div class="wide" tabindex="0"><table>\n';
rules['table_close'] = () => '</table></div>\n';
rules['fence'] = (tokens, index) => {
  const { info = '', content = '' } = tokens[index] ?? {};
  const [, name] = /\bname=(\S+)/.exec(info) ?? [];
  const title = name === undefined ? '' : `<p class="file">${escapeHtml(name)}</p>`;
  return `${title}<pre tabindex="0"><code>${escapeHtml(content)}</code></pre>\n`;
};

/** The text of inline Markdown, without its marks. */
const plainText = (inline: string): string => inline.replaceAll(/[`*]/g, '');

/** `ids` are those of the headings, in order, if they are not made of their texts. */
export const renderMarkdown = (text: string, ids: readonly string[] = []): RenderedMarkdown => {
  const tokens = markdown.parse(text, {});
  const headings: Heading[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open' || (token.tag !== 'h2' && token.tag !== 'h3')) continue;
    const heading = plainText(tokens[index + 1]?.content ?? '');
    const id = ids[headings.length] ?? anchorOf(heading, headings.filter((one) => one.text === heading).length);
    token.attrSet('id', id);
    headings.push({ level: token.tag === 'h2' ? 2 : 3, text: heading, id });
  }
  return { html: markdown.renderer.render(tokens, markdown.options, {}), headings };
};
