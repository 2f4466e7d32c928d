import { describe, expect, it, vi } from 'vitest';
import { type Resolve, checkWebhookUrl } from './webhook-address.ts';

const publicHost = () => Promise.resolve([{ address: '93.184.215.14', family: 4 }]);
const mixedHost = async () => [...(await publicHost()), { address: '10.1.2.3', family: 4 }];
const options = { ownHosts: ['api.leadback.example'], allowLoopback: false, resolve: publicHost };
const notPublic = 'the host is or resolves to an address that is not public';

describe('the URL of a webhook', () => {
  it.each(['https://shop.example/leadback?shop=1', 'https://shop.example:8443/', 'https://8.8.8.8/'])(
    'may be %s',
    async (url) => {
      expect(await checkWebhookUrl(url, options)).toBeUndefined();
    },
  );

  it.each([
    ['shop.example', 'expected a URL, such as https://shop.example/leadback'],
    ['https://', 'expected a URL, such as https://shop.example/leadback'],
    ['http://shop.example/', 'expected a URL that begins with https://'],
    ['ftp://shop.example/', 'expected a URL that begins with https://'],
    ['javascript:alert(1)', 'expected a URL, such as https://shop.example/leadback'],
    ['https://ana:word@shop.example/', 'must not contain a user name or password; requests are signed instead'],
    ['https://8.8.8.8:22/', 'the port is not allowed; use port 443'],
    ['https://shop.example:25/', 'the port is not allowed; use port 443'],
    ['https://127.0.0.1/', notPublic],
    ['https://2130706433/', notPublic],
    ['https://0x7f.0.0.1/', notPublic],
    ['https://[::1]/', notPublic],
    ['https://[::ffff:10.0.0.1]/', notPublic],
    ['https://169.254.169.254/latest/meta-data', notPublic],
    ['https://api.leadback.example/api/v1/webhook', 'the host belongs to Leadback itself'],
    ['https://API.leadback.example./', 'the host belongs to Leadback itself'],
  ])('is not %s', async (url, problem) => {
    expect(await checkWebhookUrl(url, options)).toBe(problem);
  });

  it('has a port that the settings allow', async () => {
    const allowed = { ...options, ports: [443, 9443] };
    expect(await checkWebhookUrl('https://shop.example:9443/', allowed)).toBeUndefined();
    expect(await checkWebhookUrl('https://shop.example:8443/', allowed)).toBe('the port is not allowed; use port 443');
  });

  it('is not one whose name resolves to any private address', async () => {
    expect(await checkWebhookUrl('https://shop.example/', { ...options, resolve: mixedHost })).toBe(notPublic);
  });

  it('is not one whose name does not resolve', async () => {
    const failures = [() => Promise.reject(new Error('ENOTFOUND')), () => Promise.resolve([])];
    for (const resolve of failures) {
      const problem = await checkWebhookUrl('https://shop.example/', { ...options, resolve });
      expect(problem).toBe('the host name does not resolve');
    }
  });

  it('may be on this machine, without TLS, where the setting for tests allows it, and nowhere else without TLS', async () => {
    const loopback = vi.fn<Resolve>(() => Promise.resolve([{ address: '127.0.0.1', family: 4 }]));
    const allowed = { ...options, allowLoopback: true };
    expect(await checkWebhookUrl('http://127.0.0.1:3002/leadback', allowed)).toBeUndefined();
    expect(await checkWebhookUrl('http://shop.test/', { ...allowed, resolve: loopback })).toBeUndefined();
    expect(await checkWebhookUrl('http://10.0.0.1/', allowed)).toBe(notPublic);
    expect(await checkWebhookUrl('http://shop.example/', allowed)).toBe('expected a URL that begins with https://');
    expect(await checkWebhookUrl('http://shop.test/', { ...options, resolve: loopback })).toBe(
      'expected a URL that begins with https://',
    );
    expect(loopback).toHaveBeenCalledTimes(1);
  });
});
