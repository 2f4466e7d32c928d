import type { Frame } from './stacks.ts';

const width = 1_200;
const rowHeight = 17;
const headHeight = 30;
const characterWidth = 6.2;
/** Narrower frames are left out: they could not be read, and a picture should stay small. */
const widthMin = 3;

const colors = {
  ours: '#f4a261',
  library: '#8ecae6',
  node: '#cdb4db',
  engine: '#d9d9d9',
} as const;

const originOf = ({ url }: Frame): keyof typeof colors => {
  if (url.includes('/node_modules/')) return 'library';
  if (url.startsWith('node:')) return 'node';
  return url === '' ? 'engine' : 'ours';
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

interface Box {
  readonly frame: Frame;
  readonly x: number;
  readonly depth: number;
}

const boxesOf = (frame: Frame, x: number, depth: number, perUnit: number): Box[] => {
  if (frame.total * perUnit < widthMin) return [];
  let left = x;
  const above = frame.children.flatMap((child) => {
    const boxes = boxesOf(child, left, depth + 1, perUnit);
    left += child.total * perUnit;
    return boxes;
  });
  return [{ frame, x, depth }, ...above];
};

/** Draws a call tree as SVG: the width of a frame is its share of the CPU time, and it stands below what it called. */
export const flameGraph = (title: string, root: Frame): string => {
  const perUnit = width / root.total;
  const boxes = boxesOf(root, 0, 0, perUnit);
  const rows = boxes.reduce((most, { depth }) => Math.max(most, depth + 1), 0);
  const height = headHeight + rows * rowHeight;
  const drawn = boxes.map(({ frame, x, depth }) => {
    const [wide, y] = [frame.total * perUnit, headHeight + (rows - 1 - depth) * rowHeight];
    const characters = Math.floor((wide - 4) / characterWidth);
    const label = frame.name.length <= characters ? frame.name : `${frame.name.slice(0, characters - 1)}…`;
    const text = characters >= 4 ? `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escaped(label)}</text>` : '';
    const share = ((100 * frame.total) / root.total).toFixed(1);
    return `<g><title>${escaped(frame.name)}: ${share} %</title><rect class="${originOf(frame)}" x="${x.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="${rowHeight - 1}"/>${text}</g>`;
  });
  const styles = Object.entries(colors).map(([origin, color]) => `.${origin}{fill:${color}}`);
  const legend = 'orange: this repository · blue: libraries · violet: Node · grey: engine and garbage collection';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="10">`,
    `<style>${styles.join('')}rect{stroke:#fff;stroke-width:.5}</style>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="4" y="12" font-size="12">${escaped(title)}</text><text x="4" y="25">${legend}</text>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
};
