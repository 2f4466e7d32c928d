import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { addressOf, givenShop, secret } from './given-shop.ts';

const refused = (reason: string) => ({ outcome: { kind: 'unavailable', reason }, httpStatus: null, body: null });

const givenListener = async (onConnection: (socket: Socket) => void) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

describe('sending a webhook', () => {
  it('sends the type, the time and the data of an event by https', async () => {
    await using shop = await givenShop();
    expect(await shop.send()).toMatchObject({ outcome: { kind: 'delivered' }, httpStatus: 200 });
    const body = { type: 'delivery.delivered', timestamp: '2026-11-22T12:00:00.000Z', data: { deliveryId: 1 } };
    expect(shop.bodies.map((one) => JSON.parse(one))).toEqual([body]);
  });

  it('sends nothing to a receiver whose certificate no known authority has signed', async () => {
    await using shop = await givenShop();
    const answer = await shop.send(undefined, { certificateAuthority: undefined });
    expect(answer).toEqual(refused('unreachable'));
    expect(shop.bodies).toEqual([]);
  });

  it.each([
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['fd00:ec2::254'],
    ['fe80::1%eth0'],
    ['8.8.8.8', '127.0.0.1'],
    ['127.0.0.1', '8.8.8.8'],
  ])('sends nothing to a name that resolves to %s %s', async (...addresses) => {
    await using shop = await givenShop();
    shop.resolve.mockResolvedValue(addresses.map(addressOf));
    expect(await shop.send(undefined, { allowLoopback: false })).toEqual(refused('PRIVATE_ADDRESS'));
    expect(shop.bodies).toEqual([]);
  });

  it('resolves the name at each attempt, on a connection of its own, and stops when it means a private address', async () => {
    await using shop = await givenShop();
    expect(await shop.send()).toMatchObject({ outcome: { kind: 'delivered' } });
    expect(await shop.send()).toMatchObject({ outcome: { kind: 'delivered' } });
    shop.resolve.mockResolvedValue([addressOf('10.0.0.1')]);
    expect(await shop.send()).toEqual(refused('PRIVATE_ADDRESS'));
    expect(shop.resolve.mock.calls).toEqual([['shop.example'], ['shop.example'], ['shop.example']]);
    expect(shop.sockets.size).toBe(2);
  });

  it('connects to the address that was checked, and looks the name up once per attempt', async () => {
    await using shop = await givenShop();
    // a server of DNS that gives another address to the second question
    shop.resolve.mockResolvedValueOnce([addressOf('127.0.0.1')]).mockResolvedValue([addressOf('127.0.0.2')]);
    expect(await shop.send()).toMatchObject({ outcome: { kind: 'delivered' } });
    expect(shop.resolve).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['http://shop.example/', 'HTTPS_REQUIRED'],
    ['https://user:word@shop.example/', 'URL_HAS_CREDENTIALS'],
    ['https://10.0.0.1/', 'PRIVATE_ADDRESS'],
    ['https://[fd00:ec2::254]/', 'PRIVATE_ADDRESS'],
    ['https://2130706433/', 'PRIVATE_ADDRESS'],
    ['https://0x7f.1/', 'PRIVATE_ADDRESS'],
    ['https://8.8.8.8:22/', 'PORT_NOT_ALLOWED'],
    ['https://shop.example:6379/', 'PORT_NOT_ALLOWED'],
  ])('does not call %s', async (url, reason) => {
    await using shop = await givenShop();
    expect(await shop.send(url, { allowLoopback: false })).toEqual(refused(reason));
    expect(shop.resolve).not.toHaveBeenCalled();
  });

  it('says the same of a closed port, a silent one, another protocol and a name that does not resolve', async () => {
    await using shop = await givenShop();
    await using silent = await givenListener(() => {});
    await using other = await givenListener((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    const tuning = { requestTimeoutMs: 500 };
    const closed = await shop.send('https://127.0.0.1:9/', tuning);
    expect(closed).toEqual(refused('unreachable'));
    expect(await shop.send(`https://127.0.0.1:${silent.port}/`, tuning)).toEqual(closed);
    expect(await shop.send(`https://127.0.0.1:${other.port}/`, tuning)).toEqual(closed);
    shop.resolve.mockRejectedValue(new Error('ENOTFOUND'));
    expect(await shop.send(undefined, tuning)).toEqual(closed);
  });

  it('does not call a port that is not allowed of a name that resolves to another machine, whatever is allowed of this one', async () => {
    await using shop = await givenShop();
    shop.resolve.mockResolvedValue([addressOf('8.8.8.8')]);
    expect(await shop.send(undefined, { ports: [443, 8443] })).toEqual(refused('PORT_NOT_ALLOWED'));
  });

  it('follows no redirect', async () => {
    await using shop = await givenShop({ status: 302 });
    const reason = 'HTTP 302: redirects are not followed';
    expect(await shop.send()).toMatchObject({ outcome: { kind: 'unavailable', reason }, httpStatus: 302 });
  });

  it('takes a 2xx as a delivery, however long its body is, and keeps 2 KB of it', async () => {
    await using shop = await givenShop({ status: 200, body: 'x'.repeat(3_000_000) });
    const { outcome, body } = await shop.send();
    expect(outcome).toEqual({ kind: 'delivered' });
    expect(body?.length).toBeGreaterThan(1_000);
    expect(body?.length).toBeLessThanOrEqual(2_048);
  });

  it('keeps neither the secret nor the path of the URL, which may be a secret, of a response', async () => {
    await using shop = await givenShop({ status: 500, body: `no route for /hook/s3cr3t-path, key ${secret}` });
    const { body } = await shop.send(`https://shop.example:${shop.port}/hook/s3cr3t-path`);
    expect(body).toContain('no route for');
    expect(body).not.toContain('s3cr3t');
    expect(body).not.toContain(secret);
  });

  it('gives up after its time limit', async () => {
    await using shop = await givenShop();
    shop.resolve.mockImplementation(() => new Promise(() => {}));
    const answer = await shop.send(undefined, { requestTimeoutMs: 50 });
    expect(answer).toEqual(refused('unreachable'));
  });
});
