import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deadLeadQueue, hintQueue, leadQueue } from '@leadback/server/broker';
import { bufferedLeadKeys, decryptLead } from '@leadback/domain/keys';
import { everyRow, secretsKeys } from '@leadback/testing';
import { connect } from 'amqplib';
import type { Canary } from './canary-visits.ts';
import type { TestStack } from './given-stack.ts';

const keys = bufferedLeadKeys(secretsKeys);
const readable = (content: Buffer): string => {
  const lead = decryptLead(keys, content);
  return lead === undefined ? content.toString() : JSON.stringify(lead);
};

const inQueue = async (url: string, queue: string): Promise<string[]> => {
  const connection = await connect(url, { timeout: 5_000 });
  try {
    const channel = await connection.createChannel();
    const texts: string[] = [];
    // what is read goes back when the connection closes
    for (let message = await channel.get(queue); message; message = await channel.get(queue)) {
      texts.push(`${JSON.stringify(message.properties)} ${readable(message.content)}`);
    }
    return texts;
  } finally {
    await connection.close();
  }
};

const inFolder = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder);
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return files.flatMap((content) =>
    content.split('\n').flatMap((line) => [line, readable(Buffer.from(line, 'base64'))]),
  );
};

/** Where a person can be found, and in how many rows, messages or lines: tables, queues, buffered files, logs and metrics. */
export const tracesOf = async (
  { marks }: Canary,
  stack: Pick<TestStack, 'database' | 'broker' | 'leadSpoolFolder' | 'logsAndMetrics'>,
): Promise<Record<string, number>> => {
  const places = new Map<string, readonly string[]>(await everyRow(stack.database));
  for (const queue of [leadQueue, deadLeadQueue, hintQueue]) places.set(queue, await inQueue(stack.broker.url, queue));
  places.set('files', await inFolder(stack.leadSpoolFolder));
  places.set('logs and metrics', (await stack.logsAndMetrics()).split('\n'));
  const counts: Record<string, number> = {};
  for (const [place, texts] of places) {
    const count = texts.filter((text) => marks.some((mark) => text.toLowerCase().includes(mark))).length;
    if (count > 0) counts[place] = count;
  }
  return counts;
};
