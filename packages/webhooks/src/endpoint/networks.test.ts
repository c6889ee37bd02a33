import { expect, test } from 'vitest'
import { type Networks, networkRules } from './networks.ts'

const OWN = ['10.0.0.5', '203.0.114.9', 'fd00::5']

const isOpen = (address: string, networks?: Networks): boolean =>
  networkRules(networks, () => OWN).isOpen(address)

test.each([
  '8.8.8.8',
  '2606:4700:4700::1111',
  '10.0.0.6',
  '100.64.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  'fd12::1',
])('connections may lead to %s, a public or company address', (address) => {
  expect(isOpen(address)).toBe(true)
})

test.each([
  ['0.0.0.0', 'no address'],
  ['::', 'no address'],
  ['169.254.169.254', 'metadata'],
  ['100.100.100.200', 'metadata in a private range'],
  ['fd00:ec2::254', 'metadata in a private range'],
  ['168.63.129.16', 'metadata in a public range'],
  ['fe80::1', 'link-local'],
  ['::ffff:10.0.0.6', 'an address inside another'],
  ['64:ff9b::a00:6', 'an address inside another'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['localhost', 'a name'],
])('connections may not lead to %s: %s', (address) => {
  expect(isOpen(address)).toBe(false)
})

test.each([
  ['127.0.0.1', 'loopback'],
  ['::1', 'loopback'],
  ['10.0.0.5', 'an address of this machine'],
  ['fd00:0::5', 'an address of this machine'],
  ['203.0.114.9', 'a public address of this machine'],
])('connections may lead to %s, %s, unless only other networks are allowed', (address) => {
  expect(isOpen(address)).toBe(true)
  expect(isOpen(address, ['public', 'private'])).toBe(false)
})

test('each word allows its own networks', () => {
  const addresses = ['8.8.8.8', '10.0.0.6', '127.0.0.1', '::1', '10.0.0.5', '203.0.114.9', '169.254.1.1']
  const open = (networks: Networks) => addresses.filter((address) => isOpen(address, networks))
  expect(open(['public'])).toEqual(['8.8.8.8'])
  expect(open(['private'])).toEqual(['10.0.0.6'])
  expect(open(['machine'])).toEqual(['127.0.0.1', '::1', '10.0.0.5', '203.0.114.9'])
  expect(open(['10.0.0.0/29'])).toEqual(['10.0.0.6', '10.0.0.5'])
  expect(open(['0.0.0.0/0'])).toEqual(addresses.filter((one) => one !== '::1' && one !== '169.254.1.1'))
  expect(open([])).toEqual([])
})

test('reports every invalid network', () => {
  expect(() => networkRules(['public', 'intranet', '10.0.0.0/40'])).toThrow(
    'networks.1: expected one of public, private, machine, or a range such as 10.20.0.0/16, got "intranet"',
  )
})
