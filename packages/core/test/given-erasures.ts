import { type Pool } from '@leadback/db';
import {
  type ErasureStep,
  type ErasureTools,
  erasureTools,
  performNextErasure,
} from '@leadback/core/erasure/perform-erasure';
import { askErasure, erasureKeys, type ErasureToAsk } from '../src/erasure/ask/ask-erasure.ts';
import {
  readErasure,
  readReceiptKeys,
  type Receipt,
  receiptSchema,
  verifyReceipt,
} from '@leadback/core/erasure/ask/receipt';
import { everyRow, givenDatabase, secretsKeys, type TestDatabase, openPatientPool } from '@leadback/testing';

const keys = erasureKeys(secretsKeys);

export interface GivenErasures extends AsyncDisposable {
  readonly database: TestDatabase;
  /** As the api has it. */
  readonly api: Pool;
  /** Of this database alone: they remember the keys of its accounts. */
  readonly tools: ErasureTools;
  ask(toAsk: Omit<ErasureToAsk, 'askedBy' | 'actor'> & Partial<ErasureToAsk>): Promise<string>;
  perform(): Promise<ErasureStep | undefined>;
  /** Of an erasure that is done. */
  receiptOf(id: string): Promise<Receipt>;
  /** How many rows contain a text, by table. */
  hits(text: string): Promise<Record<string, number>>;
}

/** Erasures that are performed with the rights of the api, on a database that no api works on. */
export const givenErasures = async (): Promise<GivenErasures> => {
  const database = await givenDatabase();
  const api = await openPatientPool({
    url: database.urlOf('api'),
    applicationName: 'erasures',
    connectionsMax: 1,
    hasNoStatementTimeout: true,
  });
  const tools = erasureTools(secretsKeys, 30);
  return {
    database,
    api: api.pool,
    tools,
    ask: (toAsk) => askErasure(api.pool, keys, { askedBy: 'partner', actor: 'key 7', ...toAsk }),
    perform: () => performNextErasure(api.pool, tools),
    async receiptOf(id) {
      const erasure = await readErasure(database.pool, id);
      const { state, receipt, signature, keyId } = erasure ?? {};
      if (!receipt || !signature || !keyId) throw new Error(`the erasure is ${state}`);
      const verdict = verifyReceipt(await readReceiptKeys(database.pool), { receipt, signature, keyId });
      if (verdict !== 'genuine') throw new Error(verdict);
      return receiptSchema.parse(JSON.parse(receipt));
    },
    async hits(text) {
      const found: Record<string, number> = {};
      for (const [table, rows] of await everyRow(database)) {
        const count = rows.filter((row) => row.toLowerCase().includes(text.toLowerCase())).length;
        if (count > 0) found[table] = count;
      }
      return found;
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
};
