import { scaleBand } from 'd3-scale';
import { area, line } from 'd3-shape';

export interface ChartPoint {
  readonly day: string;
  readonly value: number;
  /** On the same day of the period before; undefined: there is none. */
  readonly before: number | undefined;
}

const margin = { top: 12, right: 4, bottom: 26, left: 44 };
const columnMin = 3;
const labelWidth = 76;
const gridLines = 4;

const factors = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8];

/** The smallest round number, at least 1, with which `gridLines` steps reach a value. */
const stepFor = (highest: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest / gridLines, 1)));
  const steps = factors.map((factor) => factor * power).filter(Number.isInteger);
  return steps.find((step) => step * gridLines >= highest) ?? 10 * power;
};

/** Where everything of a chart is drawn. */
export const plan = (points: readonly ChartPoint[], width: number, height: number) => {
  const step = stepFor(Math.max(1, ...points.flatMap(({ value, before = 0 }) => [value, before])));
  const bottom = height - margin.bottom;
  // amounts after refunds may be below zero: they are drawn as none, and the tooltip says them
  const y = (value: number) => bottom - (Math.max(value, 0) / (step * gridLines)) * (bottom - margin.top);
  const x = scaleBand(
    points.map(({ day }) => day),
    [margin.left, width - margin.right],
  )
    .paddingInner(0.25)
    .paddingOuter(0.1);
  const middle = ({ day }: ChartPoint) => (x(day) ?? 0) + x.bandwidth() / 2;
  const hasColumns = x.bandwidth() >= columnMin;
  const every = Math.max(1, Math.ceil(points.length / Math.max(1, Math.floor((width - margin.left) / labelWidth))));
  const beforePoints = points.filter(({ before }) => before !== undefined);
  return {
    columns: points.map((point) => ({
      point,
      x: x(point.day) ?? 0,
      y: y(point.value),
      width: x.bandwidth(),
      height: bottom - y(point.value),
      middle: middle(point),
    })),
    /** Instead of columns that would be too narrow to see. */
    area: hasColumns ? null : area<ChartPoint>(middle, bottom, ({ value }) => y(value))([...points]),
    before: line<ChartPoint>(middle, ({ before = 0 }) => y(before))(beforePoints),
    labels: points.filter((_, index) => index % every === 0).map((point) => ({ point, x: middle(point) })),
    grid: Array.from({ length: gridLines + 1 }, (_, index) => ({ value: index * step, y: y(index * step) })),
    left: margin.left,
    right: width - margin.right,
    top: margin.top,
    bottom,
    indexAt: (at: number): number => {
      const share = (at - margin.left) / (width - margin.left - margin.right);
      return Math.min(Math.max(Math.floor(share * points.length), 0), points.length - 1);
    },
  };
};
