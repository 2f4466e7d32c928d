import type { Running } from './data-folder.ts';
import { nextCode } from './demo.ts';

const browser = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0';

/** A click and the calls of an integration, ready to be pasted into a shell. */
const calls = ({ api, demo }: Running): string => `
  KEY=${demo.apiKey}
  LEAD=$(curl -s -o /dev/null -w '%{redirect_url}' '${demo.directPage}?gclid=try-me' -A '${browser}' | sed 's/.*serviceId=//')
  curl -s ${api}/client -H "x-api-key: $KEY" -H 'content-type: application/json' -d '{"leadReference":"'"$LEAD"'","externalReference":"customer-1","email":"ana@example.com"}'
  curl -s ${api}/client/conversion -H "x-api-key: $KEY" -H 'content-type: application/json' -d '{"clientExternalReference":"customer-1","conversionExternalReference":"order-1","amount":149.9,"currency":"USD"}'
  curl -s '${api}/client/conversion?externalReference=order-1' -H "x-api-key: $KEY"`;

/** What `npm start` prints once everything runs. It ends with what to open first. */
export const welcome = (running: Running): string => {
  const { api, sandbox, console, shop, operations, demo } = running;
  return `
Leadback runs on this machine. Nothing leaves it: the ad platforms are simulated.
  landing page      ${demo.landingPage}?gclid=try-me   (open it in a browser)
  direct page       ${demo.directPage}?gclid=try-me   (redirects at once)
  shop              ${shop}/offer   (the target of both pages; it can also sell as a WooCommerce shop)
  API               ${api}   (documentation: ${new URL('/docs', api).href})
  platforms         ${sandbox}   (what they received; make them fail: docs/make-it-fail.md)
  operations        ${operations.landing}  ${operations.api}  ${operations['feedback-worker']}  ${operations.console}   (/health /ready /metrics)
  operator          npm run operator -- metrics --account ${demo.accountId}   (--help lists all commands)

Keys of account ${demo.accountId}, where you can try everything:
  API key           ${demo.apiKey}
  test key          ${demo.testKey}   (stricter: names what is wrong; nothing counts)

Report a sale: a click, its client, the conversion, and its deliveries. Paste these lines into another terminal:${calls(running)}

Open this first, the results of an invented shop:
  console           ${console}/a/${demo.invented.accountId}/overview
  email             ${demo.console.email}
  password          ${demo.console.password}
  code              ${nextCode(demo.console.secondFactor)}   (for a minute; a new one: npm start -- --code)
                    or add the key ${demo.console.secondFactor} to an authenticator app

Press Ctrl-C to stop everything.`;
};
