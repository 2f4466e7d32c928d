import { describe, expect, it, vi } from 'vitest';
import { addressKind, type Resolve, checkWebhookUrl } from './webhook-address.ts';

describe('the kind of an IP address', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '192.0.1.1',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::200e',
    '2800:810:4c2::1',
  ])('%s is public', (address) => {
    expect(addressKind(address)).toBe('public');
  });

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1', // a carrier's NAT
    '100.100.100.200', // the metadata service of Alibaba Cloud
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254', // metadata services
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192', // the metadata service of Oracle Cloud
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1', // IPv4-compatible
    '::ffff:127.0.0.1', // IPv4-mapped
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1', // NAT64
    '64:ff9b:1::a00:1',
    '100::1', // discarded
    '2001::1', // Teredo
    '2001:db8::1',
    '2002:7f00:1::', // 6to4 of 127.0.0.1
    '3fff::1',
    '4000::1', // not assigned
    'fc00::1',
    'fd00:ec2::254', // the metadata service of AWS
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1', // site-local
    'ff02::1',
    '2606:4700::1111%eth0',
  ])('%s is not public', (address) => {
    expect(addressKind(address)).toEqual(expect.any(String));
    expect(addressKind(address)).not.toBe('public');
  });

  it.each(['', 'example.com', '10.0.0', '0x7f.1', '8.8.8.8:80', '[::1]'])('%j is no IP address', (text) => {
    expect(addressKind(text)).toBeUndefined();
  });
});

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
