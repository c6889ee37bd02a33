import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createCipher } from './cipher.ts'
import { loadKeys } from './load-keys.ts'

const OLD = new Uint8Array(32).fill(1)
const NEW = new Uint8Array(32).fill(2)

test('opens what it sealed, and nothing of it can be seen', () => {
  const cipher = createCipher([OLD])
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const sealed = cipher.seal(text, 'connections/conn_1/catalog')
      expect(cipher.open(sealed, 'connections/conn_1/catalog')).toBe(text.toWellFormed())
      expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/)
    }),
  )
})

test('seals the same text in another way each time', () => {
  const cipher = createCipher([OLD])
  expect(cipher.seal('secret', 'a')).not.toBe(cipher.seal('secret', 'a'))
})

test('refuses a secret that was moved, changed, or sealed with another key', () => {
  const sealed = createCipher([OLD]).seal('secret', 'connections/conn_1/catalog')
  const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`
  for (const open of [
    () => createCipher([OLD]).open(sealed, 'connections/conn_2/catalog'),
    () => createCipher([OLD]).open(changed, 'connections/conn_1/catalog'),
    () => createCipher([NEW]).open(sealed, 'connections/conn_1/catalog'),
    () => createCipher([OLD]).open('secret', 'connections/conn_1/catalog'),
  ]) {
    expect(open).toThrow(/a secret of the store cannot be read/)
  }
})

test('opens what an older key sealed, while it is given', () => {
  const sealed = createCipher([OLD]).seal('secret', 'a')
  const both = createCipher([NEW, OLD])
  expect(both.open(sealed, 'a')).toBe('secret')
  expect(() => createCipher([OLD]).open(both.seal('secret', 'a'), 'a')).toThrow('encrypted with a key')
})

async function keyFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stagecraft-keys-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'data', 'secret.key')
}

test('makes a key file that nobody else can read, once', async () => {
  const file = await keyFile()
  const made = await Promise.all([1, 2, 3, 4].map(() => loadKeys({ variable: undefined, file })))
  const [first] = made.map((keys) => Buffer.from(keys[0] ?? []).toString('hex'))
  for (const keys of made) expect(Buffer.from(keys[0] ?? []).toString('hex')).toBe(first)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(Buffer.from((await readFile(file, 'utf8')).trim(), 'base64')).toHaveLength(32)
})

test('refuses a key file that others can read', async () => {
  const file = await keyFile()
  await loadKeys({ variable: undefined, file })
  const { chmod } = await import('node:fs/promises')
  await chmod(file, 0o644)
  await expect(loadKeys({ variable: undefined, file })).rejects.toThrow('expected a file of mode 600')
})

test('reads keys of the environment, and never repeats one that is faulty', async () => {
  const keys = await loadKeys({
    variable: `${'ab'.repeat(32)}, ${Buffer.from(OLD).toString('base64')}`,
    file: '/nowhere',
  })
  expect(keys.map((key) => key.length)).toEqual([32, 32])
  await expect(loadKeys({ variable: 'hunter2', file: '/nowhere' })).rejects.toThrow(
    /^STAGECRAFT_SECRET_KEY: expected 32 bytes .*, got something else$/,
  )
})

test('refuses a damaged key file', async () => {
  const file = await keyFile()
  await loadKeys({ variable: undefined, file })
  await writeFile(file, 'half a ke')
  await expect(loadKeys({ variable: undefined, file })).rejects.toThrow('expected 32 bytes')
})
