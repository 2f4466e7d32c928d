/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- see below */
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './button.tsx';
import styles from './parts.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'end';
  /** The heading of the card on a narrow screen. */
  readonly isTitle?: boolean;
  /** A control in the corner of the card. */
  readonly isMark?: boolean;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly isCurrent?: (row: Row) => boolean;
  /** No longer in use. */
  readonly isEnded?: (row: Row) => boolean;
  /** Rows are shown, but newer ones are on their way. */
  readonly isStale?: boolean;
}

/**
 * A table that becomes a list of cards below 600 px. The roles are written out, because browsers drop those of a table
 * whose `display` changes.
 */
export const Table = <Row,>(props: TableProps<Row>) => {
  const { caption, columns, rows, keyOf, isCurrent, isEnded, isStale = false } = props;
  return (
    <div className={styles.frame}>
      <table className={classNames(styles.table, isStale && styles.stale)} role="table" aria-busy={isStale}>
        <caption className="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ key, title, align, isMark }) => (
              <th key={key} role="columnheader" scope="col" className={classNames(align && styles.end)}>
                {isMark === true ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              role="row"
              data-row
              className={classNames(isEnded?.(row) === true && styles.ended)}
              aria-current={isCurrent?.(row) === true ? 'true' : undefined}
            >
              {columns.map(({ key, title, cell, align, isTitle, isMark }) => (
                <td
                  key={key}
                  role="cell"
                  data-title={isTitle === true ? undefined : title}
                  className={classNames(align && styles.end, isTitle && styles.title, isMark && styles.mark)}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** Narrows the list to what a cell shows. */
export const Only = (props: Omit<ComponentProps<'button'>, 'type' | 'className'>) => (
  <button {...props} type="button" className={styles.only} />
);
