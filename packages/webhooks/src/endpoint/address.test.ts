import { describe, expect, test } from 'vitest'
import { isPublicAddress } from './address.ts'
import { rulesOf } from './policy.ts'

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.1',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.1',
  '192.0.1.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '2001:200::1',
  '2a00::1',
  '3ffe:ffff::1',
]

const SPECIAL = [
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.0.23',
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.1.1',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:a9fe:a9fe',
  '::ffff:8.8.8.8',
  '::ffff:0:127.0.0.1',
  '64:ff9b::1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::a00:1',
  '100::1',
  '100:0:0:1::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:3::1',
  '2001:4:112::1',
  '2001:10::1',
  '2001:20::1',
  '2001:30::1',
  '2001:1ff:ffff::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2620:4f:8000::1',
  '3fff::1',
  '3fff:fff:ffff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
]

const NO_ADDRESSES = [
  '',
  'localhost',
  '127.1',
  '0x7f000001',
  '1.1.1.1 ',
  '1.1.1.1/32',
  '01.1.1.1',
  '2606:4700:4700::1111%eth0',
  'fe80::1%eth0',
  '[::1]',
]

test.each(PUBLIC)('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([...SPECIAL, ...NO_ADDRESSES])('%j is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
  expect(rulesOf({}).isOpen(address)).toBe(false)
})

describe('an allow-list', () => {
  test('allows its ranges, for IPv4 and IPv6 separately', () => {
    const { isOpen } = rulesOf({ allowCidrs: ['10.20.0.0/16', 'fd12::/16', '::1/128', '192.168.1.7/24'] })
    for (const address of ['10.20.3.4', 'fd12::5', '::1', '192.168.1.200', '1.1.1.1']) {
      expect([address, isOpen(address)]).toEqual([address, true])
    }
    for (const address of ['10.21.0.1', 'fd13::5', '127.0.0.1', '::ffff:10.20.3.4', '192.168.2.1', '::']) {
      expect([address, isOpen(address)]).toEqual([address, false])
    }
  })

  test.each([
    '100.100.100.200',
    '168.63.129.16',
    '169.254.169.254',
    '169.254.170.2',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fe80::a9fe:a9fe',
    '::169.254.169.254',
    '::ffff:169.254.169.254',
    '::ffff:0:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    '2001:0:4136:e378:8000:63bf:5601:5601',
    'fd12::1%eth0',
  ])('never allows %s', (address) => {
    const everything = ['0.0.0.0/0', '::/0', '169.254.169.254/32', '::ffff:0:0/96']
    expect(rulesOf({ allowCidrs: everything }).isOpen(address)).toBe(false)
  })

  test('of IPv6 ranges does not allow IPv4', () => {
    expect(rulesOf({ allowCidrs: ['::/0', '::ffff:0:0/96'] }).isOpen('127.0.0.1')).toBe(false)
  })

  test('does not override blocked addresses', () => {
    const { isOpen } = rulesOf({ allowCidrs: ['10.0.0.0/8'], blockCidrs: ['10.1.0.0/16', '1.1.1.0/24'] })
    expect([isOpen('10.2.0.1'), isOpen('10.1.0.1'), isOpen('1.1.1.1')]).toEqual([true, false, false])
  })

  test('is required for addresses of this machine', () => {
    const own = (): readonly string[] => ['1.2.3.4', '2606:4700::7', 'fe80::1%eth0']
    const closed = rulesOf({}, own)
    expect(['1.2.3.4', '2606:4700:0:0::7', '1.2.3.5'].map(closed.isOpen)).toEqual([false, false, true])
    expect(rulesOf({ allowCidrs: ['1.2.3.4/32'] }, own).isOpen('1.2.3.4')).toBe(true)
  })

  test('with invalid ranges is refused, with all faults at once', () => {
    const allowCidrs = ['10.0.0.0', '10.0.0.0/33', 'fd00::/129', '10.1/16', 'fe80::1%1/64', 'x', '::/0']
    expect(() => rulesOf({ allowCidrs, blockCidrs: ['y'] })).toThrow(
      'allowCidrs.0: expected a range such as 10.20.0.0/16, got "10.0.0.0"',
    )
  })
})
