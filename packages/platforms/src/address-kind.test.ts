import { describe, expect, it } from 'vitest';
import { addressKind } from './webhook-address.ts';

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
