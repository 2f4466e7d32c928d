import styles from './day-chart.module.css';

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
export const Tooltip = ({ x, width, title, value, before }: TooltipProps) => {
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
