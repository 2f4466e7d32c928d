interface Sale {
  /** The page of the shop where the visitor arrived, with the lead reference. */
  readonly landingUrl: string;
  readonly email: string;
  readonly amount: number;
  readonly currency: string;
}

/**
 * Makes the order in a simulated WooCommerce shop, which sends its usual webhooks to Leadback: a real shop needs no code for
 * this. Returns the number of the order, by which the sale is found.
 */
export const orderAtWoocommerce = async (url: string, sale: Sale): Promise<string> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/orders`, { method: 'POST', headers, body: JSON.stringify(sale) });
  const order: unknown = await response.json();
  const id: unknown = typeof order === 'object' && order !== null ? Reflect.get(order, 'id') : undefined;
  if (typeof id !== 'string') throw new Error(`the WooCommerce shop made no order: ${JSON.stringify(order)}`);
  return id;
};
