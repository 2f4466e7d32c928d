import { describe, expect, it } from 'vitest';
import { publicAddress } from './event-parts.ts';

describe('the IP address of a visitor', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['8.8.8.8', '8.8.8.8'],
    ['172.32.0.1', '172.32.0.1'],
    ['100.128.0.1', '100.128.0.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['2800:810:4c2::1', '2800:810:4c2::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:8.8.8.8', '8.8.8.8'],
  ])('sends the IP address %s as %s', (written, address) => {
    expect(publicAddress(written)).toBe(address);
  });

  it.each([
    '10.0.0.5',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '127.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    '2001:db8::1%eth0',
    'ff02::1',
    '::ffff:10.0.0.5',
    '::ffff:a00:5',
    '::ffff:127.0.0.1',
  ])('never sends %s, an address of a private network', (written) => {
    expect(publicAddress(written)).toBeUndefined();
  });

  it.each(['', 'unknown', '203.0.113.7, 10.0.0.1', '203.0.113', '0x8.8.8.8', '203.0.113.7:4711', '::ffff:999.1.1.1'])(
    'does not read %j as an IP address',
    (written) => {
      expect(publicAddress(written)).toBeUndefined();
    },
  );
});
