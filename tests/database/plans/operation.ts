import type { ExplainedDatabase } from '../../support/plans.ts';

export interface Operation {
  readonly name: string;
  /** Changes what it finds, through the database whose plans are told. */
  readonly run: (on: ExplainedDatabase) => Promise<unknown>;
  /** The most rows that one node of a plan may read. */
  readonly rowsMax: number;
  /** The most pages that one statement may read. */
  readonly pagesMax?: number;
  /** Tables of which it reads everything, on purpose. */
  readonly readsAllOf?: readonly string[];
}
