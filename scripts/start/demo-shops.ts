/** The shops and payment services that the sandbox simulates. */
const shopKinds = ['woocommerce', 'tiendanube', 'mercadopago', 'shopify', 'stripe', 'webhook', 'postback'] as const;

/** Where an order of each is made: `POST {url}/orders`. */
export const shopUrls = (sandboxUrl: string): Readonly<Record<string, string>> =>
  Object.fromEntries(shopKinds.map((kind) => [kind, `${sandboxUrl}/shops/${kind}`]));
