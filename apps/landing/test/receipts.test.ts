import { isSignedReceipt, newLeadProof, receiptSigner } from '@leadback/domain/keys';
import { erasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { askErasure, erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import { givenClient, givenConnection, givenDelivery, secretsKeys, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenLanding } from './given-landing.ts';

const json = { accept: 'application/json' };
const signedSchema = z.object({ receipt: z.string(), signature: z.string(), keyId: z.string(), state: z.string() });
const keysSchema = z.object({
  keys: z.array(z.object({ id: z.string(), algorithm: z.literal('Ed25519'), publicKey: z.base64() })),
});

describe('the receipt of an erasure', async () => {
  const landing = await shared(givenLanding());

  /** A visitor's erasure, performed as an api does. */
  const givenReceipt = async (): Promise<{ id: string; email: string }> => {
    const em = landing.database.em();
    const email = 'ana@example.com';
    const { proof, hash } = newLeadProof();
    const connection = await givenConnection(em, { platform: 'meta' });
    const account = await connection.account.loadOrFail();
    const client = await givenClient(em, {
      account,
      email,
      lead: { ipAddress: '203.0.113.7', proofHash: Buffer.from(hash, 'hex') },
    });
    await givenDelivery(em, { connection, client, state: 'delivered' });
    const { reference } = await client.lead.loadOrFail();
    const id = await askErasure(landing.database.pool, erasureKeys(secretsKeys), {
      accountId: account.id,
      askedBy: 'visitor',
      actor: 'visitor',
      subject: { leadReference: reference, proof },
    });
    await performNextErasure(landing.database.pool, erasureTools(secretsKeys, 30));
    return { id, email };
  };

  it.each([
    ['en', ['The data are erased. The signature is right', 'Customers: 1', 'Clicks: 1', 'Meta: 1, last on', 'Backups']],
    [
      'es',
      [
        'Los datos están borrados. La firma es correcta',
        'Clientes: 1',
        'Meta: 1, la última vez',
        'Copias de seguridad',
      ],
    ],
    [
      'pt',
      [
        'Os dados foram apagados. A assinatura está correta',
        'Cliques: 1',
        'Meta: 1, a última vez',
        'Cópias de segurança',
      ],
    ],
  ])('says in %s what was erased, what stays, who had been told, and that it is signed', async (language, texts) => {
    const { id, email } = await givenReceipt();
    const { status, html } = await landing.visit(`/data/receipt/${id}`, { headers: { 'accept-language': language } });
    expect(status).toBe(200);
    for (const text of texts) expect(html).toContain(text);
    expect(html).not.toContain(email);
  });

  it('is signed by a key that is published', async () => {
    const { id } = await givenReceipt();
    const { receipt, signature, keyId } = signedSchema.parse(
      JSON.parse((await landing.visit(`/data/receipt/${id}`, { headers: json })).html),
    );
    const published = await landing.visit('/.well-known/leadback-receipts.json');
    expect(published.headers['cache-control']).toBe('public, max-age=300');
    const { keys } = keysSchema.parse(JSON.parse(published.html));
    const key = keys.find((one) => one.id === keyId);
    const publicKey = Buffer.from(key?.publicKey ?? '', 'base64');
    expect(publicKey).toEqual(Buffer.from(receiptSigner(secretsKeys).publicKey));
    expect(isSignedReceipt({ id: keyId, publicKey }, receipt, signature)).toBe(true);
    expect(JSON.parse(receipt)).toMatchObject({ id, askedBy: 'visitor', erased: { clients: 1, leads: 1 } });
  });

  it('says that its signature is wrong if the stored text was changed', async () => {
    const { id } = await givenReceipt();
    await landing.database.pool.query(
      `update erasure set receipt = replace(receipt, '"leads":1', '"leads":2') where id = $1`,
      [id],
    );
    expect((await landing.visit(`/data/receipt/${id}`)).html).toContain('The signature is wrong');
  });

  it.each(['0'.repeat(22), 'x', '%27'])('does not exist for the id %s', async (id) => {
    expect((await landing.visit(`/data/receipt/${id}`)).status).toBe(404);
  });
});
