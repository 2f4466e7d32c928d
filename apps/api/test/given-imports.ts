import { itemRegistrars } from '@leadback/core/imports/work';
import { createLogger, createMetrics } from '@leadback/server/app';
import { leadReferenceKeys } from '@leadback/domain/keys';
import { eventually, givenContacts, secretsKeys } from '@leadback/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import { forJobs } from '../src/pools.ts';
import { apiEvents } from '../src/events.ts';
import { importRows } from '../src/jobs/jobs.ts';
import type { TestApi } from './given-api.ts';

const created = z.object({ id: z.number(), state: z.string(), message: z.string().optional() });
const status = z.looseObject({
  state: z.string(),
  rows: z.number(),
  done: z.number(),
  counts: z.record(z.string(), z.number()),
  message: z.string().optional(),
});

/** The job of an instance of the API. Announces to the test API. */
export const givenImportJob = (api: TestApi): AsyncDisposable =>
  importRows(forJobs(api.database.pool), {
    register: itemRegistrars(leadReferenceKeys(secretsKeys), givenContacts()),
    announce: (parcels) => api.announced.push(...parcels),
    events: apiEvents(createLogger('api', 'silent'), createMetrics('api')),
  });

export interface Uploading {
  readonly of?: string;
  readonly dryRun?: boolean;
}

/** A partner who imports files with one key. */
export const importsOf = (api: TestApi, key: string) => {
  const send = (file: string | Uint8Array, { of = 'conversion', dryRun }: Uploading = {}) =>
    api.send('POST', `/api/v1/import?of=${of}${dryRun === undefined ? '' : `&dryRun=${dryRun}`}`, {
      key,
      body: file,
      headers: { 'content-type': 'text/csv' },
    });
  const read = async (id: number) => status.parse((await api.send('GET', `/api/v1/import/${id}`, { key })).body);
  const result = async (id: number): Promise<string> => {
    const url = `http://127.0.0.1:${api.port}/api/v1/import/${id}/result.csv`;
    return (await fetch(url, { headers: { 'x-api-key': key } })).text();
  };
  const upload = async (file: string | Uint8Array, options?: Uploading) => {
    const { status: code, body } = await send(file, options);
    expect([code, body]).toEqual([202, expect.anything()]);
    return created.parse(body);
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
