import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parseAddress } from './address.ts'
import { connectionFailed } from './connection-failed.ts'

const address = parseAddress('postgres://me:canary@db.example.com/raw', {
  engine: 'PostgreSQL',
  form: 'postgres://…',
  port: 5432,
})

const failure = (code: string | undefined, message = 'no'): Error =>
  Object.assign(new Error(message), { code })

test.each([
  ['ECONNREFUSED', 'connection refused'],
  ['ENOTFOUND', 'host not found'],
  ['ETIMEDOUT', 'timeout after 10 s'],
  ['28P01', 'password authentication failed for user me'],
  ['ER_ACCESS_DENIED_ERROR', 'password authentication failed for user me'],
  ['3D000', 'database raw does not exist'],
  ['ER_BAD_DB_ERROR', 'database raw does not exist'],
  ['57014', 'a query timed out, after 60 s or the shorter limit of the role'],
  ['MSSQL_NO_TLS', 'the server offers no TLS, so the login was not sent'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate of the server is not trusted'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'the server does not speak TLS at this port'],
])('gives the reason for %s', (code, reason) => {
  expect(connectionFailed(failure(code), address)).toMatchObject({
    code: 'CONNECTION_FAILED',
    message: expect.stringContaining(
      `cannot read PostgreSQL at db.example.com:5432: ${reason}; check `,
    ) as string,
    details: { host: 'db.example.com', port: 5432, reason },
  })
})

test.each([
  ['Connection terminated due to connection timeout', 'timeout after 10 s'],
  ['timeout exceeded when trying to connect', 'timeout after 10 s'],
  ['Query read timeout', 'a query timed out after 60 s'],
  ['Query execution was interrupted (max_statement_time exceeded)', 'a query timed out after 60 s'],
  [
    'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
    'the server requires a password, and none was given',
  ],
  ['relation "x" does not exist\nLINE 1', 'relation "x" does not exist'],
  ['The server does not support SSL connections', 'the server offers no TLS'],
  ['', 'the driver gave no reason'],
])('gives the reason if there is no code: %s', (message, reason) => {
  expect(connectionFailed(failure(undefined, message), address).details?.['reason']).toBe(reason)
})

describe('the password', () => {
  test('is not shown if the driver repeats it', () => {
    const error = connectionFailed(failure(undefined, 'cannot parse postgres://me:canary@h'), address)
    expect(error.message).toContain('the driver gave no reason')
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain('canary')
  })

  test('is not in a cause', () => {
    const cause = Object.assign(failure('ECONNREFUSED'), { client: { password: 'canary' } })
    const error = connectionFailed(cause, address)
    expect(error.cause).toBeUndefined()
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain('canary')
  })
})

test('has no address for a given client', () => {
  expect(connectionFailed(failure('28P01'), { engine: 'MySQL' }).message).toBe(
    'cannot read MySQL through the given client: password authentication failed for user of the client; check user and password',
  )
})

test('accepts any thrown value', () => {
  expect(connectionFailed(undefined, address).details?.['reason']).toBe('the driver gave no reason')
  expect(connectionFailed('text', address).details?.['reason']).toBe('the driver gave no reason')
})
