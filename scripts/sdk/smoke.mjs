import { Leadback, LeadbackError, looksLikeLeadReference, verifyWebhook } from '@leadback/sdk';

/** Uses each part of the SDK once, with nothing but what all runtimes have. */
export const smoke = async (baseUrl) => {
  const leadback = new Leadback({ apiKey: 'lb_test', baseUrl, timeoutMs: 5_000 });
  const client = await leadback.registerClient({ leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs', name: 'Ana García' });
  const order = { email: 'ana@example.com', conversionExternalReference: 'order-1', amount: 1, currency: 'USD' };
  const conversion = await leadback.registerConversion(order);
  const listed = [];
  for await (const { id } of leadback.listConversions({ state: 'failed' })) listed.push(id);
  const forged = { 'webhook-id': '1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' };
  const refused = await verifyWebhook('{}', forged, 'whsec_AAAA').catch((error) => error);
  const aborted = await leadback.checkKey({ signal: AbortSignal.abort() }).catch((error) => error);
  return {
    client,
    conversion,
    listed,
    webhook: refused instanceof LeadbackError ? refused.code : 'no error',
    abort: aborted instanceof Error ? aborted.name : 'no error',
    isReference: looksLikeLeadReference('Zk3vT9qLm2XcB7nRw5YdHs'),
  };
};
