import { type Contract, itKeepsThePlatformContract } from './platform-contract.ts';

const settings = { conversionRuleId: '104012' };
const responses: Omit<Contract, 'name' | 'settings' | 'credentials'> = {
  accepted: [200, { elements: [{ status: 201 }] }],
  serverError: [503, { message: 'Service unavailable', status: 503 }],
  rateLimited: [429, { serviceErrorCode: 101, message: 'Resource level throttle limit is reached.', status: 429 }],
  refused: [401, { status: 401, serviceErrorCode: 65601, code: 'REVOKED_ACCESS_TOKEN', message: 'revoked' }],
  wrongEvent: [422, { message: 'Index: 0, ERROR :: /user :: field is required\n', status: 422 }],
  quoting: (message) => [400, { message, status: 400 }],
};

itKeepsThePlatformContract({
  name: 'linkedin',
  settings,
  credentials: { accessToken: 'canary-linkedin-token' },
  ...responses,
});

itKeepsThePlatformContract({
  name: 'linkedin',
  settings,
  credentials: { clientId: 'canary-app', clientSecret: 'canary-secret', refreshToken: 'canary-refresh' },
  ...responses,
});
