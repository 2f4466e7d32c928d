const layout = (title: string, main: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<style>
:root{color-scheme:light dark}
body{font:1.0625rem/1.6 system-ui,sans-serif;max-width:40rem;margin:12vh auto;padding:0 1.25rem}
code{font-size:1.1em;padding:.15em .4em;border-radius:.3em;background:color-mix(in srgb,currentColor 10%,transparent);overflow-wrap:anywhere}
input,button{font:inherit;padding:.5em .75em}
</style>
<h1>${title}</h1>
${main}`;

const escape = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** `calls`: by the shop's own code. `webhooks`: as a WooCommerce shop does, without code. */
export type ReportsBy = 'calls' | 'webhooks';

const switchForm = (by: ReportsBy, leadReference = '') => {
  const [now, other, label] =
    by === 'calls'
      ? ['calls of its own code', 'webhooks', 'Report as a WooCommerce shop, by webhooks']
      : ['the webhooks of WooCommerce', 'calls', 'Report by calls of its own code'];
  return `
<form method="post" action="/switch">
  <input type="hidden" name="serviceId" value="${leadReference}">
  <p>This shop reports its sales by ${now}. <button name="by" value="${other}">${label}</button></p>
</form>`;
};

/** The target page. The form keeps the lead reference until the visitor signs up. `by`: missing, if there is no choice. */
export const offerPage = (leadReference: string | undefined, by?: ReportsBy): string =>
  layout(
    'Target page of the advertiser',
    (leadReference === undefined
      ? '<p>The visitor arrived without a lead reference: a bot, or a visit without a landing page.</p>'
      : `<p>The visitor arrived with <code>serviceId=${leadReference}</code>. The shop stores this lead reference, and sends it
as <code>leadReference</code> when it registers the client.</p>
<form method="post" action="/sign-up">
  <input type="hidden" name="serviceId" value="${leadReference}">
  <label>Email <input type="email" name="email" required></label>
  <button>Sign up</button>
</form>`) + (by === undefined ? '' : switchForm(by, leadReference)),
  );

export const buyPage = (customer: string): string =>
  layout(
    'Welcome',
    `<p>You are <code>${escape(customer)}</code>.</p>
<form method="post" action="/buy">
  <input type="hidden" name="customer" value="${escape(customer)}">
  <button>Buy for USD 149.90</button>
</form>`,
  );

export const orderPage = (order: string): string =>
  layout(
    'Thank you',
    `<p>Your order is <code>${escape(order)}</code>. <a href="/orders/${escape(order)}">What the platforms know of it</a></p>`,
  );

export const deliveriesPage = (order: string, deliveries: readonly { platform: string; state: string }[]): string =>
  layout(
    `Order ${escape(order)}`,
    `<ul>${deliveries.map(({ platform, state }) => `<li>${platform}: ${state}</li>`).join('')}</ul>`,
  );
