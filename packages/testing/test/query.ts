import { Client } from 'pg';

/** What PostgreSQL responds to a statement, as text: rows, the command, or the error. */
export const query = async (url: string, statement: string): Promise<string> => {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows, command } = await client.query<Record<string, unknown>>(statement);
    return JSON.stringify([command, ...rows]);
  } catch (error) {
    return String(error);
  } finally {
    await client.end().catch(() => {});
  }
};
