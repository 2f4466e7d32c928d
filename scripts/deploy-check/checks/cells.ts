import { z } from 'zod';
import { addresses } from '../load/addresses.ts';
import { byHostName } from '../load/by-host-name.ts';
import { givenWalker, walk } from '../load/walk.ts';
import type { Report } from '../report.ts';
import type { ComposeStack } from '../stack/compose-stack.ts';

const balancerPort = 8080;
const idsPerCell = 10 ** 12;

const cells = [
  { name: 'a', number: 0, operator: 'operator' },
  { name: 'b', number: 1, operator: 'operator-b' },
] as const;
type Cell = (typeof cells)[number];

/** What one walk through a cell leaves to compare with the other. */
interface Walked {
  readonly cell: Cell;
  readonly apiKey: string;
  readonly conversionId: number;
}

const listSchema = z.array(
  z.object({
    cell: z.string(),
    number: z.number(),
    accounts: z.number(),
    conversionsToday: z.number(),
    conversionsYesterday: z.number(),
    problem: z.null(),
  }),
);

const apiOf = ({ name }: Cell) => byHostName(`api-${name}.localhost:${balancerPort}`, balancerPort);

/** The status of a request with the key of one cell to the api of another, or of the same. */
const statusIn = async (cell: Cell, apiKey: string): Promise<number> => {
  await using api = await apiOf(cell);
  const { status } = await fetch(`${api.url}/api/v1/client/conversions`, { headers: { 'x-api-key': apiKey } });
  return status;
};

/** Starts the two cells of deploy/compose/cells.yml, and uses each by its host names. */
export const checkCells = async (stack: ComposeStack, { check, begin, say }: Report): Promise<void> => {
  begin('cells');
  const operateIn =
    ({ operator }: Cell) =>
    async (...args: readonly string[]): Promise<unknown> =>
      JSON.parse(await stack.compose('run', '--rm', '--no-TTY', operator, ...args, '--json'));
  const walkIn = async (cell: Cell): Promise<Walked> => {
    const demo = await givenWalker(operateIn(cell));
    const page = new URL(demo.landingPage);
    await using landing = await byHostName(page.host, balancerPort);
    await using api = await apiOf(cell);
    const there = { apiUrl: `${api.url}/api/v1`, sandboxUrl: addresses.sandbox };
    const { id } = await walk({ ...demo, landingPage: landing.url + page.pathname }, (text) => say(`  ${text}`), there);
    return { cell, apiKey: demo.apiKey, conversionId: id };
  };

  const isUp = await check('two cells start, each with its own database and virtual host', async () => {
    await stack.compose('up', '--detach', '--wait', '--no-build');
  });
  if (!isUp) return;
  const walked: Walked[] = [];
  for (const cell of cells) {
    await check(`one visitor goes through cell ${cell.name} by its host names`, async () => {
      const done = await walkIn(cell);
      walked.push(done);
      const cellOfId = Math.floor(done.conversionId / idsPerCell);
      if (cellOfId !== cell.number)
        throw new Error(`the conversion ${done.conversionId} has an id of cell ${cellOfId}`);
      return `conversion ${done.conversionId}`;
    });
  }
  await check('a key works in its own cell alone', async () => {
    for (const { cell: home, apiKey } of walked) {
      for (const cell of cells) {
        const status = await statusIn(cell, apiKey);
        const expected = cell === home ? 200 : 401;
        if (status !== expected) throw new Error(`the key of cell ${home.name} gets ${status} in ${cell.name}`);
      }
    }
  });
  await check('cell list shows both, each with its own account and conversion', async () => {
    const listed = listSchema.parse(await operateIn(cells[0])('cell', 'list'));
    const seen = listed.map((row) => [
      row.cell,
      row.number,
      row.accounts,
      row.conversionsToday + row.conversionsYesterday,
    ]);
    const expected = cells.map(({ name, number }) => [name, number, 1, 1]);
    if (JSON.stringify(seen) !== JSON.stringify(expected)) throw new Error(JSON.stringify(seen));
  });
  await check('doctor finds no error in either cell', async () => {
    for (const cell of cells) await operateIn(cell)('doctor');
  });
};
