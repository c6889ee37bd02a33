import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { locateCatalog } from './locate-catalog.ts'

test.each([
  ['postgres://me:canary@db.example.com/raw', 'postgres', 'db.example.com:5432/raw', []],
  ['postgresql://me@db.example.com:6543/a%20b?sslmode=require', 'postgres', 'db.example.com:6543/a b', []],
  ['postgres:///raw?host=/var/run/db&password=canary', 'postgres', '/var/run/db:5432/raw', ['/var/run/db']],
  ['postgres://h/d?sslrootcert=/etc/ca.pem', 'postgres', 'h:5432/d', ['/etc/ca.pem']],
  ['mysql://me:canary@h:3307/shop', 'mysql', 'h:3307/shop', []],
  ['MariaDB://me@h/shop?socketPath=/run/my.sock', 'mysql', 'h:3306/shop', ['/run/my.sock']],
  ['/data/shop.duckdb', 'duckdb', '/data/shop.duckdb', ['/data/shop.duckdb']],
  ['duckdb:/data/', 'duckdb', '/data/', ['/data/']],
  ['sqlite:shop.db', 'sqlite', 'shop.db', ['shop.db']],
  ['/data/columns.yml?dialect=snowflake', 'columns', '/data/columns.yml', ['/data/columns.yml']],
  ['ddl:/data/sql', 'ddl', '/data/sql', ['/data/sql']],
  ['dbt:/project/target', 'dbt', '/project/target', ['/project/target']],
])('tells where %s leads', (text, kind, target, localPaths) => {
  const place = locateCatalog(text)
  const isServer = kind === 'postgres' || kind === 'mysql'
  expect(place).toMatchObject({ kind, target, isServer, localPaths })
  expect(JSON.stringify(place)).not.toContain('canary')
})

test.each([
  ['postgres://me@h/d', true],
  ['postgres://me:@h/d', true],
  ['postgres://me:canary@h/d', false],
  ['postgres://me@h/d?password=canary', false],
  ['mysql://me@h/d', false],
  ['sqlite:/a.db', false],
])('tells whether %s borrows a password', (text, borrowsPassword) => {
  expect(locateCatalog(text).borrowsPassword).toBe(borrowsPassword)
})

test.each(['env:WAREHOUSE', 'oracle://me:canary@h/d', 'postgres://me:can#ary@h/d', 'me:canary@h', ''])(
  'refuses %j, and repeats no secret',
  (text) => {
    const error = thrownBy(() => locateCatalog(text))
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', details: { faults: [{ path: 'catalog' }] } })
    expect(inspect(error)).not.toMatch(/canary|can#|ary@/)
  },
)

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('expected it to throw')
}

test.each(['host=a&host=/var/run/db', 'password=canary&password=', 'sslkey=a&sslkey=b'])(
  'refuses options that come twice, of which a driver may take the other one: %s',
  (options) => {
    expect(() => locateCatalog(`postgres://me@h/d?${options}`)).toThrow(/expected/)
  },
)
