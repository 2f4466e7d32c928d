const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** A table in Markdown. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [lineOf(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(lineOf)].join('\n');

/** A generated page: for whom it is stands in its first lines. */
export const pageOf = (title: string, intro: string, ...parts: readonly string[]): string =>
  `${[`# ${title}`, `${intro} \`node scripts/run.mjs reference\` writes this page.`, ...parts].join('\n\n')}\n`;
