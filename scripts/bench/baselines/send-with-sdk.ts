// Sends events to the sandbox with Meta's own library, each after the response to the one before.
import {
  CrashReporter,
  CustomData,
  EventRequest,
  FacebookAdsApi,
  ServerEvent,
  UserData,
} from 'facebook-nodejs-business-sdk';
import { z } from 'zod';
import { respond } from '../bench-process.ts';

// the library offers no setting for these
const { SANDBOX_URL } = process.env;
Object.defineProperty(FacebookAdsApi, 'GRAPH', { get: () => SANDBOX_URL });
Object.defineProperty(FacebookAdsApi, 'VERSION', { get: () => 'v25.0' });

const eventOf = (id: string): ServerEvent => {
  const user = new UserData()
    .setEmail(`c${id}@shop.example`)
    .setClientIpAddress('203.0.113.7')
    .setClientUserAgent('Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0')
    .setFbc('fb.1.1700000000000.bench');
  return new ServerEvent()
    .setEventName('Purchase')
    .setEventId(id)
    .setEventTime(Math.floor(Date.now() / 1_000))
    .setActionSource('website')
    .setEventSourceUrl('https://ads.example/bench')
    .setUserData(user)
    .setCustomData(new CustomData().setValue(10).setCurrency('USD').setOrderId(id));
};

// on an error it would keep the process alive
Object.defineProperty(CrashReporter, 'enable', { value: () => {} });

const runSchema = z.object({ seconds: z.number() });
let sent = 0;

respond(async (message) => {
  const { seconds } = runSchema.parse(message);
  const [start, first] = [performance.now(), sent];
  const until = start + seconds * 1_000;
  while (performance.now() < until) {
    sent += 1;
    const request = new EventRequest('t', '1234567890').setEvents([eventOf(`S${sent}`)]);
    Object.assign(request, { test_event_code: undefined }); // the sandbox refuses null
    await request.execute();
  }
  return { operations: sent - first, seconds: (performance.now() - start) / 1_000 };
});
