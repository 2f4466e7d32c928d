const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** A table in Markdown. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [lineOf(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(lineOf)].join('\n');

/** A list of names and what they are. */
export const list = (entries: readonly (readonly [name: string, text: string])[]): string =>
  entries.map(([name, text]) => `- ${name}: ${text}`).join('\n');

/** A generated page: for whom it is stands in its first lines. */
export const pageOf = (title: string, intro: string, ...parts: readonly string[]): string =>
  `${[`# ${title}`, `${intro} Generated.`, ...parts].join('\n\n')}\n`;
