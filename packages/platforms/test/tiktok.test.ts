import { itKeepsThePlatformContract } from './platform-contract.ts';

const words = (code: number, message = 'words') => ({ code, message, request_id: '20261121120000', data: {} });

itKeepsThePlatformContract({
  name: 'tiktok',
  settings: { pixelCode: 'C17TA5JC77UDOT6CA5FG', testEventCode: 'TEST1' },
  testMark: { test_event_code: 'TEST1' },
  credentials: { accessToken: 'canary-tiktok-token' },
  accepted: [200, words(0, 'OK')],
  serverError: [200, words(50_000)],
  rateLimited: [200, words(40_100)],
  refused: [200, words(40_105)],
  wrongEvent: [200, words(40_002)],
  quoting: (message) => [200, words(40_002, message)],
});
