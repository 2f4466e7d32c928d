import { describe, expect, it } from 'vitest';
import { networkOf, networksOf } from './connections.ts';

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::'],
    ['203.0.113.7:49152', '203.0.113.7'],
    ['[2001:db8:1:2:3:4:5:6]:443', '2001:db8:1:2::'],
    ['[2001:db8:1:2:3:4:5:6]', '2001:db8:1:2::'],
    ['unknown', ''],
    ['203.0.113.7:49152:1', ''],
    ['', ''],
  ])('maps the IP address %j to the network %j', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

it.each([
  ['203.0.113.7', ['203.0.113.7', '203.0.113.0/24']],
  ['::ffff:203.0.113.7', ['203.0.113.7', '203.0.113.0/24']],
  ['2001:db8:1:2f3:4:5:6:7', ['2001:db8:1:2f3::', '2001:db8:1:200::/56', '2001:db8:1::/48']],
  ['', ['']],
])('finds the networks of the IP address %j that one customer of a provider may have', (address, networks) => {
  expect(networksOf(address)).toEqual(networks);
});
