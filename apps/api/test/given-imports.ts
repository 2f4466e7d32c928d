import { itemRegistrars } from '@leadback/core/imports/work';
import { cleanUpImports } from '@leadback/core/imports/store';
import type { NewParcel } from '@leadback/core/delivery/enqueue';
import { leadReferenceKeys } from '@leadback/domain/keys';
import { createLogger, createMetrics, repeat } from '@leadback/server/app';
import { eventually, givenContacts, secretsKeys } from '@leadback/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import { apiEvents } from '../src/events.ts';
import { importRows } from '../src/jobs.ts';
import { forJobs } from '../src/pools.ts';
import type { TestApi } from './given-api.ts';

const uploaded = z.object({ id: z.number(), state: z.string(), message: z.string().optional() });
const importSchema = z.looseObject({
  state: z.string(),
  rows: z.number(),
  done: z.number(),
  counts: z.record(z.string(), z.number()),
  message: z.string().optional(),
});

/** The jobs of an instance of the API. Announces to the test API. */
export const givenImportJob = (api: TestApi): AsyncDisposable => {
  const options = {
    jobs: forJobs(api.database.pool),
    register: itemRegistrars(leadReferenceKeys(secretsKeys), givenContacts()),
    announce: (parcels: readonly NewParcel[]) => api.announced.push(...parcels),
    events: apiEvents(createLogger('api', 'silent'), createMetrics('api')),
  };
  return repeat({
    everyMs: 100,
    async round() {
      await cleanUpImports(options.jobs);
      return importRows(options);
    },
    onFailure: () => {},
  });
};

interface Uploading {
  readonly of?: string;
  readonly dryRun?: boolean;
  readonly choices?: unknown;
}

/** A partner who imports files with one key. */
export const importsOf = (api: TestApi, key: string) => {
  const send = (file: string | Uint8Array, { of = 'conversion', dryRun, choices }: Uploading = {}, path = 'import') =>
    api.send(
      'POST',
      `/api/v1/${path}?${new URLSearchParams({
        of,
        ...(dryRun !== undefined && { dryRun: String(dryRun) }),
        ...(choices !== undefined && { choices: JSON.stringify(choices) }),
      }).toString()}`,
      {
        key,
        body: file,
        headers: { 'content-type': 'text/csv' },
      },
    );
  const read = async (id: number) => importSchema.parse((await api.send('GET', `/api/v1/import/${id}`, { key })).body);
  const result = async (id: number): Promise<string> => {
    const url = `http://127.0.0.1:${api.port}/api/v1/import/${id}/result.csv`;
    return (await fetch(url, { headers: { 'x-api-key': key } })).text();
  };
  const upload = async (file: string | Uint8Array, options?: Uploading) => {
    const { status: code, body } = await send(file, options);
    expect([code, body]).toEqual([202, expect.anything()]);
    return uploaded.parse(body);
  };
  return {
    send,
    upload,
    read,
    result,
    /** Waits until the job has finished. `result`: the lines of its file, without quotes. */
    imported: async (file: string | Uint8Array, options?: Uploading) => {
      const { id } = await upload(file, options);
      await eventually(async () => expect((await read(id)).state).toBe('done'));
      return { id, ...(await read(id)), result: (await result(id)).trimEnd().replaceAll('"', '').split('\n') };
    },
  };
};
