import { googleError } from './google-error.ts';
import { itKeepsThePlatformContract } from './platform-contract.ts';

itKeepsThePlatformContract({
  name: 'google',
  settings: { customerId: '123-456-7890', conversionActionId: '848898416' },
  testMark: { validateOnly: true },
  credentials: {
    clientId: 'canary.apps.googleusercontent.com',
    clientSecret: 'canary-secret',
    refreshToken: '1//canary-refresh',
  },
  accepted: [200, { requestId: 'r1' }],
  request: 'r1',
  serverError: [503, googleError(503, 'UNAVAILABLE')],
  rateLimited: [429, googleError(429, 'RESOURCE_EXHAUSTED')],
  refused: [403, googleError(403, 'PERMISSION_DENIED')],
  wrongEvent: [400, googleError(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', [{ reason: 'INVALID_EVENT' }])],
  quoting: (message) => [400, { error: { ...googleError(400, 'INVALID_ARGUMENT').error, message } }],
});
