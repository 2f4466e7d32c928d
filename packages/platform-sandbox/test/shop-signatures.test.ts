import { WebhookSignatureValidator } from 'mercadopago';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { describe, expect, it } from 'vitest';
import { signShopify } from '../src/shops/shopify.ts';
import { signTiendanube } from '../src/shops/tiendanube.ts';
import { signBody, signStandard } from '../src/shops/webhook.ts';
import { signWoocommerce } from '../src/shops/woocommerce.ts';
import { givenShop } from './given-shop.ts';

/** Whether the Web Crypto API takes it as the HMAC-SHA256 of the bytes. */
const isHmac = async (signature: Buffer, bytes: Uint8Array<ArrayBuffer>, secret: string): Promise<boolean> => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, new Uint8Array(signature), bytes);
};

// from GitHub's documents: Validating webhook deliveries
const published = {
  secret: "It's a Secret to Everybody",
  body: 'Hello, World!',
  hex: '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
};
const base64 = Buffer.from(published.hex, 'hex').toString('base64');

describe('the signatures of the shops', () => {
  it('an HMAC of the body is the published one, in the encoding of each shop', () => {
    const { body, secret, hex } = published;
    expect(signTiendanube(body, secret)).toBe(hex);
    expect(signShopify(body, secret)).toBe(base64);
    expect(signWoocommerce(body, secret)).toBe(base64);
    expect(signBody(body, { secret, prefix: 'sha256=', encoding: 'hex' })).toBe(`sha256=${hex}`);
  });

  it('WooCommerce decodes its secret as HTML before it signs', () => {
    expect(signWoocommerce(published.body, 'It&#039;s a Secret to Everybody')).toBe(base64);
    expect(signWoocommerce(published.body, 'a&amp;b')).toBe(signWoocommerce(published.body, 'a&b'));
    // once
    expect(signWoocommerce(published.body, 'a&amp;lt;b')).toBe(signWoocommerce(published.body, 'a&amp;lt;b'));
    expect(signWoocommerce(published.body, 'a&amp;lt;b')).not.toBe(signWoocommerce(published.body, 'a<b'));
  });

  it('Standard Webhooks are signed as the vector of the specification', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const signature = signStandard('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}', secret);
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it.each([
    ['woocommerce', 'x-wc-webhook-signature', 'base64'],
    ['shopify', 'x-shopify-hmac-sha256', 'base64'],
    ['tiendanube', 'x-linkedstore-hmac-sha256', 'hex'],
  ] as const)(
    '%s signs the bytes of the body that arrive, with names that are not ASCII in them',
    async (kind, header, encoding) => {
      await using shop = await givenShop(kind, { secret: 'the secret of the shop' });
      await shop.order({ email: 'buyer@example.com' });
      const messages = await shop.settled();
      expect(messages.length).toBeGreaterThan(1);
      for (const { raw, headers } of messages) {
        const signature = Buffer.from(String(headers[header]), encoding);
        expect(await isHmac(signature, new Uint8Array(raw), 'the secret of the shop')).toBe(true);
        expect(await isHmac(signature, new Uint8Array(raw), 'another secret')).toBe(false);
      }
    },
  );

  it("Stripe's own library accepts what the simulated Stripe sends, and refuses another secret and other bytes", async () => {
    const secret = 'whsec_4dXq3kY0cGZl';
    await using shop = await givenShop('stripe', { secret });
    await shop.order();
    const { webhooks } = new Stripe('sk_test_unused');
    const messages = await shop.settled();
    expect(messages).toHaveLength(4);
    for (const { raw, headers } of messages) {
      const header = String(headers['stripe-signature']);
      expect(webhooks.constructEvent(raw, header, secret)).toMatchObject({ object: 'event' });
      expect(() => webhooks.constructEvent(raw, header, `${secret}x`)).toThrow('signature');
      expect(() => webhooks.constructEvent(`${raw.toString()} `, header, secret)).toThrow('signature');
    }
  });

  it("Mercado Pago's own library accepts what the simulated Mercado Pago sends, and refuses another secret", async () => {
    await using shop = await givenShop('mercadopago', { secret: 'a-secret' });
    await shop.order();
    const messages = await shop.settled();
    expect(messages).toHaveLength(4);
    for (const { url, headers } of messages) {
      const sent = {
        xSignature: String(headers['x-signature']),
        xRequestId: String(headers['x-request-id']),
        dataId: url.searchParams.get('data.id') ?? '',
      };
      expect(() => WebhookSignatureValidator.validate({ ...sent, secret: 'a-secret' })).not.toThrow();
      expect(() => WebhookSignatureValidator.validate({ ...sent, secret: 'another' })).toThrow('SignatureMismatch');
    }
  });

  it('the library of Standard Webhooks accepts what the simulated sender sends, also after a retry', async () => {
    const secret = `whsec_${Buffer.from('a key of 32 bytes, or a few more').toString('base64')}`;
    await using shop = await givenShop('webhook', { secret });
    shop.statuses.push(500);
    await shop.order({ status: 'pending' });
    const messages = await shop.settled();
    expect(messages).toHaveLength(2);
    const headersOf = (index: number) => ({
      'webhook-id': String(messages[index]?.headers['webhook-id']),
      'webhook-timestamp': String(messages[index]?.headers['webhook-timestamp']),
      'webhook-signature': String(messages[index]?.headers['webhook-signature']),
    });
    expect(headersOf(1)['webhook-id']).toBe(headersOf(0)['webhook-id']);
    for (const [index, { raw }] of messages.entries()) {
      expect(() => new Webhook(secret).verify(raw.toString(), headersOf(index))).not.toThrow();
    }
  });

  it('the generic sender signs the body alone as it is told: header, prefix and encoding', async () => {
    const settings = {
      secret: 's',
      signature: 'hmac',
      header: 'X-Hub-Signature-256',
      prefix: 'sha256=',
      encoding: 'hex',
    };
    await using shop = await givenShop('webhook', settings);
    await shop.order();
    for (const { raw, headers } of await shop.settled()) {
      const [, hex = ''] = /^sha256=([0-9a-f]{64})$/.exec(String(headers['x-hub-signature-256'])) ?? [];
      expect(await isHmac(Buffer.from(hex, 'hex'), new Uint8Array(raw), 's')).toBe(true);
      expect(headers['webhook-signature']).toBeUndefined();
    }
  });
});
