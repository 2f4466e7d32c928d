import { useState } from 'react';
import styles from './day-chart.module.css';
import { type ChartPoint, plan } from './plan.ts';
import { Tooltip } from './tooltip.tsx';
import { useWidth } from './use-width.ts';

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
            {drawn.grid.map((line) => (
              <g key={line.value}>
                <line className={styles.grid} x1={drawn.left} x2={drawn.right} y1={line.y} y2={line.y} />
                <text className={styles.axis} x={drawn.left - 8} y={line.y} dy="0.32em" textAnchor="end">
                  {axis(line.value)}
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
