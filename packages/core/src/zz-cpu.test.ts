import { readdirSync, readFileSync } from 'node:fs';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import { givenAccount, givenClient, givenConnection, givenContacts, givenDatabase } from '@leadback/testing';
import { it } from 'vitest';

const statOf = (pid: string) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const f = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { ppid: f[1], ticks: Number(f[11]) + Number(f[12]) };
  } catch {
    return undefined;
  }
};
const postgresTicks = (master: string) =>
  readdirSync('/proc')
    .filter((p) => /^\d+$/.test(p))
    .reduce((sum, pid) => {
      const s = statOf(pid);
      return s && s.ppid === master ? sum + s.ticks : sum;
    }, 0);

it('costs', { timeout: 300_000 }, async () => {
  await using database = await givenDatabase();
  const em = database.em();
  const account = await givenAccount(em);
  await givenConnection(em, { account, platform: 'meta' });
  await givenConnection(em, { account, platform: 'google' });
  const refs: string[] = [];
  for (let i = 0; i < 400; i += 1) {
    refs.push(`c-${i}`);
    await givenClient(database.em(), { account, externalReference: `c-${i}` });
  }
  await database.pool.query('vacuum analyze');
  const { rows } = await database.pool.query('select pg_backend_pid() as pid');
  const master = statOf(String(rows[0].pid))?.ppid ?? '';
  const register = conversionRegistrar(database.pool, { contacts: givenContacts(), announce: () => {} });
  let next = 0;
  const run = async (n: number) => {
    const until = next + n;
    await Promise.all(
      Array.from({ length: 64 }, async () => {
        while (next < until) {
          const i = next++;
          await register(
            { accountId: account.id, isTest: false },
            {
              amount: '10.50',
              currency: 'USD',
              clientExternalReference: refs[i % 400] ?? '',
              conversionExternalReference: `o-${i}`,
            },
          );
        }
      }),
    );
  };
  await run(4000);
  for (let round = 0; round < 5; round += 1) {
    const cpu = process.cpuUsage();
    const pg = postgresTicks(master);
    const at = performance.now();
    await run(8000);
    const { user, system } = process.cpuUsage(cpu);
    console.log(
      `COST node ${((user + system) / 8000).toFixed(1)} us, postgres ${(((postgresTicks(master) - pg) * 10000) / 8000).toFixed(1)} us, wall ${(performance.now() - at).toFixed(0)} ms`,
    );
  }
});
