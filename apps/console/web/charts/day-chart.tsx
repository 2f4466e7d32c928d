import { scaleBand } from 'd3-scale';
import { area, line } from 'd3-shape';
import { type RefCallback, useCallback, useState } from 'react';
import styles from './day-chart.module.css';

interface ChartPoint {
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
const plan = (points: readonly ChartPoint[], width: number, height: number) => {
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

const size = { width: 168, height: 74 };
const distance = 10;

interface TooltipProps {
  /** The middle of the day. */
  readonly x: number;
  /** Of the chart: the tooltip stays inside. */
  readonly width: number;
  readonly title: string;
  readonly value: string;
  readonly before: string | undefined;
}

/** Beside the day, on the side with more room. Part of the drawing, so that it needs no inline style. */
const Tooltip = ({ x, width, title, value, before }: TooltipProps) => {
  const left = x + distance + size.width < width ? x + distance : Math.max(x - distance - size.width, 0);
  return (
    <g className={styles.tooltip} transform={`translate(${left} 8)`}>
      <rect width={size.width} height={before === undefined ? 52 : size.height} rx={8} />
      <text x={12} y={21} className={styles.day}>
        {title}
      </text>
      <circle cx={16} cy={37} r={4} className={styles.dot} />
      <text x={28} y={41}>
        {value}
      </text>
      {before !== undefined && (
        <>
          <line x1={11} x2={21} y1={57} y2={57} className={styles.before} />
          <text x={28} y={61} className={styles.old}>
            {before}
          </text>
        </>
      )}
    </g>
  );
};

/** The width of an element in pixels, 0 before it is known. */
const useWidth = (): readonly [RefCallback<Element>, number] => {
  const [width, setWidth] = useState(0);
  const ref = useCallback((element: Element | null) => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
};

const height = 264;

interface DayChartProps {
  readonly title: string;
  readonly points: readonly ChartPoint[];
  readonly day: (day: string) => string;
  readonly axis: (value: number) => string;
  readonly value: (value: number) => string;
  readonly beforeTitle: string;
}

/**
 * One column for each day, and the period before as a line. The pointer and the arrow keys choose a day: a range input
 * lies over the drawing, so that a screen reader says each day with its value.
 */
export const DayChart = ({ title, points, day, axis, value, beforeTitle }: DayChartProps) => {
  const [ref, width] = useWidth();
  const [chosen, setChosen] = useState<number>();
  const drawn = width > 0 && points.length > 0 ? plan(points, width, height) : undefined;
  const column = chosen === undefined ? undefined : drawn?.columns[chosen];
  const said = ({ day: of, value: now, before }: ChartPoint): string =>
    `${day(of)}: ${value(now)}${before === undefined ? '' : ` (${beforeTitle} ${value(before)})`}`;
  const current = points[chosen ?? points.length - 1];
  return (
    <div ref={ref} className={styles.chart}>
      <input
        className={styles.days}
        type="range"
        min={0}
        max={Math.max(points.length - 1, 0)}
        value={chosen ?? Math.max(points.length - 1, 0)}
        aria-label={title}
        aria-valuetext={current && said(current)}
        onChange={(event) => setChosen(event.target.valueAsNumber)}
        onPointerMove={({ clientX, currentTarget }) =>
          setChosen(drawn?.indexAt(clientX - currentTarget.getBoundingClientRect().left))
        }
        onPointerLeave={() => setChosen(undefined)}
        onBlur={() => setChosen(undefined)}
      />
      <svg width={width} height={height} aria-hidden="true" focusable="false">
        {drawn && (
          <>
            {drawn.grid.map((step) => (
              <g key={step.value}>
                <line className={styles.grid} x1={drawn.left} x2={drawn.right} y1={step.y} y2={step.y} />
                <text className={styles.axis} x={drawn.left - 8} y={step.y} dy="0.32em" textAnchor="end">
                  {axis(step.value)}
                </text>
              </g>
            ))}
            {column && (
              <rect
                className={styles.band}
                x={column.middle - Math.max(column.width * 0.65, 3)}
                width={Math.max(column.width * 1.3, 6)}
                y={drawn.top}
                height={drawn.bottom - drawn.top}
                rx={4}
              />
            )}
            {drawn.area === null ? (
              drawn.columns.map((one) => (
                <rect
                  key={one.point.day}
                  className={styles.column}
                  x={one.x}
                  y={one.y}
                  width={one.width}
                  height={one.height}
                  rx={Math.min(3, one.width / 3)}
                />
              ))
            ) : (
              <path className={styles.column} d={drawn.area} />
            )}
            {drawn.before !== null && <path className={styles.before} d={drawn.before} />}
            {drawn.labels.map(({ point, x }) => (
              <text key={point.day} className={styles.axis} x={x} y={height - 6} textAnchor="middle">
                {day(point.day)}
              </text>
            ))}
            {column && (
              <Tooltip
                x={column.middle}
                width={width}
                title={day(column.point.day)}
                value={value(column.point.value)}
                before={column.point.before === undefined ? undefined : value(column.point.before)}
              />
            )}
          </>
        )}
      </svg>
    </div>
  );
};
