import { expect, test } from 'vitest'
import { parseAddress } from './address.ts'
import { httpOrigin, isSecureAddress } from './http-origin.ts'

const SERVER = { engine: 'Trino', form: 'trino://user@host:8080/catalog', port: 8080 }

const originOf = (text: string): string => {
  const address = parseAddress(text, SERVER)
  return httpOrigin(address, { isSecure: isSecureAddress(address) }).href
}

test.each([
  ['trino://db.example.com/hive', 'http://db.example.com:8080/'],
  ['trino://db.example.com:8443/hive', 'https://db.example.com:8443/'],
  ['trino://db.example.com:443/hive?secure=false', 'http://db.example.com:443/'],
  ['trino://db.example.com:9000/hive?secure=true', 'https://db.example.com:9000/'],
  ['trino://[::1]:9000/hive', 'http://[::1]:9000/'],
  ['trino://127.0.0.1/hive', 'http://127.0.0.1:8080/'],
])('%s is at %s', (text, origin) => {
  expect(originOf(text)).toBe(origin)
})

test.each([
  'trino://evil%2Fx.example.com/',
  'trino://a%40b.example.com/',
  'trino://x/?host=a%2Fb',
  'trino://x/?host=a:1',
])('refuses %s, whose host a URL would read differently', (text) => {
  expect(() => originOf(text)).toThrow('catalog: expected the name of a host')
})
