import { StagecraftError } from '@stagecraft/spec'
import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ServiceContext } from '../context.ts'

export interface LoadKeysOptions {
  /** Keys separated by commas, newest first: 64 hexadecimal digits or 44 characters of base64 each. */
  readonly variable: string | undefined
  /** The file of the key, used if no key is given; created if it does not exist. */
  readonly file: string
}

/**
 * Loads the keys that encrypt the secrets of the store.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a text that is not a key, and for a file that others can read.
 */
export async function loadKeys({ file, variable }: LoadKeysOptions): Promise<readonly Uint8Array[]> {
  if (variable !== undefined && variable.trim() !== '')
    return variable.split(',').map((text) => parseKey(text.trim(), 'STAGECRAFT_SECRET_KEY'))
  const text = (await readKeyFile(file)) ?? (await makeKeyFile(file))
  return [parseKey(text.trim(), file)]
}

function parseKey(text: string, where: string): Uint8Array {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (bytes.length === 32 && /^[\w+/=-]+$/.test(text)) return bytes
  const expected = '32 bytes as 64 hexadecimal digits or as base64'
  throw StagecraftError.invalid({ path: where, expected, received: 'something else' })
}

async function readKeyFile(file: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(file)
    if ((mode & 0o077) !== 0) {
      const received = `one of mode ${(mode & 0o777).toString(8)}`
      throw StagecraftError.invalid({ path: file, expected: 'a file of mode 600', received })
    }
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Written to a temporary file and then linked, so that two processes that start together both use the first key. */
async function makeKeyFile(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${randomBytes(6).toString('hex')}`
  const key = randomBytes(32).toString('base64')
  await writeFile(beside, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true })
  await chmod(beside, 0o600)
  try {
    await link(beside, file)
    return key
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return await readFile(file, 'utf8')
  } finally {
    await rm(beside, { force: true })
  }
}

const NAME = 'secret_canary'
const TEXT = 'stagecraft'

/**
 * Checks at startup, instead of at the first secret, that the store was written with this key.
 *
 * @throws {StagecraftError} INVALID_REQUEST for another key.
 */
export async function checkSecretKey({
  cipher,
  store,
}: Pick<ServiceContext, 'cipher' | 'store'>): Promise<void> {
  await store.db
    .insertInto('settings')
    .values({ name: NAME, value: cipher.seal(TEXT, NAME) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { value } = await store.db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirstOrThrow()
  try {
    cipher.open(value, NAME)
  } catch {
    const expected = 'the key that encrypted the secrets of this store'
    const suggestion = 'set STAGECRAFT_SECRET_KEY to it; to replace a key, put the new one first: new,old'
    throw new StagecraftError('INVALID_REQUEST', `expected ${expected}, got another; ${suggestion}`, {
      details: { faults: [{ path: 'STAGECRAFT_SECRET_KEY', expected, received: 'another key' }], suggestion },
    })
  }
}
