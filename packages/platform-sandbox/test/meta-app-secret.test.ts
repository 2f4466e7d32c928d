import { expect, it } from 'vitest';
import { hash, metaEvent, metaRequest } from './meta-event.ts';
import { nowMs, serveSandbox } from './serve-sandbox.ts';

it('Meta accepts events with a proof of the app secret and rejects a malformed proof', async () => {
  await using sandbox = await serveSandbox(() => nowMs);
  const request = metaRequest(metaEvent());
  expect(await sandbox.meta({ ...request, appsecret_proof: hash })).toMatchObject({ status: 200 });
  for (const proof of ['app-secret', hash.toUpperCase(), '']) {
    expect(await sandbox.meta({ ...request, appsecret_proof: proof })).toMatchObject({
      status: 400,
      body: { error: { code: 100, message: expect.stringContaining('Invalid appsecret_proof') } },
    });
  }
});
