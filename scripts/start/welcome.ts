import type { Running } from './running-file.ts';

/** What is printed once everything is up. */
export const welcome = ({ api, sandbox, operations, demo }: Running): string => `
Leadback is up.
  landing page      ${demo.landingPage}?gclid=try-me&fbclid=try-me   (open it in a browser)
  sends on at once  ${demo.directPage}?gclid=try-me
  API               ${api}   (documentation: ${new URL('/docs', api).href})
  both platforms    ${sandbox}   (what they have received)
  operations        ${operations.landing}  ${operations.api}  ${operations['feedback-worker']}   (/health /ready /metrics)
  API key           ${demo.apiKey}
  operator          npm run operator -- metrics --account ${demo.accountId}   (and feedback list; --help shows all)

Try it: click as a visitor does, register the client with the serviceId that comes back, then its conversion.
  curl -si '${demo.directPage}?gclid=try-me' -A 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0' | grep -i ^location
  curl -s ${api}/client -H 'x-api-key: ${demo.apiKey}' -H 'content-type: application/json' -d '{"leadReference":"PUT serviceId HERE","externalReference":"customer-1","email":"ana@example.com"}'
  curl -s ${api}/client/conversion -H 'x-api-key: ${demo.apiKey}' -H 'content-type: application/json' -d '{"clientExternalReference":"customer-1","conversionExternalReference":"order-1","amount":149.9,"currency":"USD"}'

Ctrl-C ends everything.`;
