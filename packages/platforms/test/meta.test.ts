import { itKeepsThePlatformContract } from './platform-contract.ts';

const error = (code: number, message = 'words', more = {}) => ({
  error: { message, type: 'OAuthException', code, ...more, fbtrace_id: 'A1' },
});

itKeepsThePlatformContract({
  name: 'meta',
  settings: { pixelId: '1234567890', testEventCode: 'TEST1' },
  testMark: { test_event_code: 'TEST1' },
  credentials: { accessToken: 'EAAB-canary-token', appSecret: 'canary-app-secret' },
  accepted: [200, { events_received: 1, messages: [], fbtrace_id: 'A1' }],
  serverError: [500, error(2)],
  rateLimited: [400, error(4)],
  refused: [400, error(190, 'words', { error_subcode: 460 })],
  wrongEvent: [400, error(100, 'words', { error_subcode: 2804009 })],
  quoting: (message) => [400, error(100, message)],
});
