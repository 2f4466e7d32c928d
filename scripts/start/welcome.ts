import { nextCode } from './accept-invitation.ts';
import type { Running } from './running-file.ts';

export const welcome = ({ api, sandbox, console, operations, demo }: Running): string => `
Leadback is running.
  landing page      ${demo.landingPage}?gclid=try-me&fbclid=try-me   (open it in a browser)
  direct page       ${demo.directPage}?gclid=try-me   (redirects at once)
  API               ${api}   (documentation: ${new URL('/docs', api).href})
  console           ${console}   (sign in as ${demo.console.email}, password ${demo.console.password}, code ${nextCode(demo.console.secondFactor)} within a minute)
                    later codes: add the key ${demo.console.secondFactor} to an authenticator app
  platforms         ${sandbox}   (sandbox of all platforms: shows the events that they received)
  operations        ${operations.landing}  ${operations.api}  ${operations['feedback-worker']}  ${operations.console}   (/health /ready /metrics)
  API key           ${demo.apiKey}
  operator          npm run operator -- metrics --account ${demo.accountId}   (--help lists all commands)

Try it: click like a visitor, register the client with the serviceId of the redirect, then register a conversion.
  curl -si '${demo.directPage}?gclid=try-me' -A 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0' | grep -i ^location
  curl -s ${api}/client -H 'x-api-key: ${demo.apiKey}' -H 'content-type: application/json' -d '{"leadReference":"PUT serviceId HERE","externalReference":"customer-1","email":"ana@example.com"}'
  curl -s ${api}/client/conversion -H 'x-api-key: ${demo.apiKey}' -H 'content-type: application/json' -d '{"clientExternalReference":"customer-1","conversionExternalReference":"order-1","amount":149.9,"currency":"USD"}'

Press Ctrl-C to stop everything.`;
