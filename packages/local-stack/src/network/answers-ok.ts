import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

const timeoutMs = 2_000;

/** Whether a GET responds with 200 within 2 s. The connection is closed: an open one would delay a shutdown. */
export const answersOk = async (url: string): Promise<boolean> => {
  const request = get(url, { agent: false, timeout: timeoutMs });
  request.on('timeout', () => request.destroy());
  try {
    const [response]: IncomingMessage[] = await once(request, 'response');
    return response?.statusCode === 200;
  } catch {
    return false;
  } finally {
    request.destroy();
  }
};
