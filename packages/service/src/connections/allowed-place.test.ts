import { expect, test } from 'vitest'
import { allowedPlace } from './connection-catalog.ts'

test.each([
  ['env:WAREHOUSE_URL', 'got "env:…"'],
  ['postgres://me:canary#@h/d', 'an address of PostgreSQL'],
  ['shop.duckdb', 'an absolute path'],
  ['dbt:target/', 'an absolute path'],
  ['postgres://h/d?sslrootcert=ca.pem', 'an absolute path'],
])('refuses %s', (text, message) => {
  expect(() => allowedPlace(text, { allowLocalFiles: true })).toThrow(message)
})

test.each([
  '/data/shop.duckdb',
  'sqlite:/data/shop.db',
  '/data/columns.yml',
  'ddl:/data',
  'dbt:/target',
  'postgres:///d?host=/run/db',
  'postgres://h/d?sslkey=/etc/shadow',
  'mysql://h/d?socketPath=/run/my.sock',
])('refuses %s where files are not to be read', (text) => {
  expect(() => allowedPlace(text, { allowLocalFiles: false })).toThrow('catalog: expected a server')
  expect(allowedPlace(text, { allowLocalFiles: true }).localPaths).toHaveLength(1)
})

test('refuses an address for which pg would look up a password of whoever runs the service', () => {
  expect(() => allowedPlace('postgres://me@h/d', { allowLocalFiles: false })).toThrow('without a password')
  expect(allowedPlace('postgres://me@h/d', { allowLocalFiles: true })).toMatchObject({ target: 'h:5432/d' })
  expect(allowedPlace('postgres://me:canary@h/d', { allowLocalFiles: false })).toMatchObject({
    target: 'h:5432/d',
  })
})

test('takes a server where files are not to be read', () => {
  expect(allowedPlace('mysql://h/d', { allowLocalFiles: false })).toMatchObject({ kind: 'mysql' })
})
