import { zipSync, type Zippable } from 'fflate'
import { expect, test } from 'vitest'
import { readArchive } from './read-project-files.ts'

const text = (content: string): Uint8Array => new TextEncoder().encode(content)
const SQL = text('select 1 as id\n')
const zip = (files: Zippable): Uint8Array => zipSync(files)

test('reads the files that rules read, and unpacks no other', () => {
  const files = readArchive(
    zip({
      'shop/dbt_project.yml': text('name: shop\n'),
      'shop/models/ü.sql': SQL,
      'shop/a.parquet': text('x'),
      'shop/seeds/': [] as never,
    }),
  )
  expect(Object.keys(files)).toEqual(['shop/dbt_project.yml', 'shop/models/ü.sql'])
  expect(files['shop/models/ü.sql']).toEqual(SQL)
})

const LINK = { os: 3, attrs: 0o120777 << 16 } as const

test.each([
  ['a link', zip({ 'models/a.sql': [text('/etc/passwd'), LINK] }), /got the link "models\/a\.sql"/],
  ['a path upwards', zip({ 'models/../../a.sql': SQL }), /expected relative paths inside the archive/],
  ['an absolute path', zip({ '/etc/a.sql': SQL }), /expected relative paths inside the archive/],
  ['a path of Windows', zip({ 'c:/a.sql': SQL }), /expected relative paths inside the archive/],
  ['backslashes', zip({ 'models\\a.sql': SQL }), /expected relative paths inside the archive/],
  ['another file', text('select 1'), /expected a zip archive, got another file/],
  ['nothing', new Uint8Array(), /expected a zip archive, got another file/],
])('refuses %s', (_, bytes, message) => {
  expect(() => readArchive(bytes)).toThrow(message)
})

const limited = { deepest: 'd/'.repeat(64), longest: 'x'.repeat(1020) } as const

test('reads paths of up to 1,024 characters and 64 folders', () => {
  const paths = [`${limited.deepest}a.sql`, `${limited.longest}.sql`]
  expect(Object.keys(readArchive(zip(Object.fromEntries(paths.map((path) => [path, SQL])))))).toEqual(paths)
})

test.each([
  [`e/${limited.deepest}a.sql`, /files in at most 64 folders, got "e\/d\/.*, which is in 65/],
  [`${limited.longest}x.sql`, /paths of at most 1024 characters, got "xxx.*…, which has 1025/],
  [`models/i/${'d/'.repeat(32_700)}a.sql`, /paths of at most 1024 characters, got "models\/i\/d\/.* 65414/],
  [`${'d/'.repeat(100)}a.txt`, /files in at most 64 folders/],
])('refuses longer and deeper paths', (path, message) => {
  expect(() => readArchive(zip({ 'models/a.sql': SQL, [path]: SQL }))).toThrow(message)
})

test('refuses what is too large when unpacked, by what the archive states', () => {
  const bomb = zip({ 'models/a.sql': new Uint8Array(1_000_000), 'models/b.sql': new Uint8Array(1_000_000) })
  expect(bomb.length).toBeLessThan(5000)
  expect(() => readArchive(bomb, { entries: 10, bytes: 1_500_000 })).toThrow(
    /expected at most 1500000 bytes of project files when unpacked, got 2000000 bytes/,
  )
  const many = zip(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`m${index}.sql`, SQL])))
  expect(() => readArchive(many, { entries: 10, bytes: 1000 })).toThrow(
    /expected at most 10 entries, got 20 entries/,
  )
})

test('unpacks no more than the archive states, also when that is a lie', () => {
  const bytes = Buffer.from(zip({ 'models/a.sql': [new Uint8Array(5_000_000), { level: 9 }] }))
  const directory = bytes.indexOf(Buffer.from('504b0102', 'hex'))
  bytes.writeUInt32LE(10, directory + 24)
  bytes.writeUInt32LE(10, 22)
  expect(() => readArchive(bytes, { entries: 10, bytes: 1000 })).toThrow(
    /expected (?:a zip archive|undamaged files)/,
  )
})

test.each(['store', 'deflate'])('refuses a file whose content is not what its checksum says (%s)', (way) => {
  const level = way === 'store' ? 0 : 6
  const bytes = Buffer.from(zip({ 'models/a.sql': [text('select 1 as id, 2 as b\n'), { level }] }))
  const directory = bytes.indexOf(Buffer.from('504b0102', 'hex'))
  const damaged = Buffer.from(bytes)
  damaged.writeUInt32LE((bytes.readUInt32LE(directory + 16) ^ 1) >>> 0, directory + 16)
  const message = /expected undamaged files, got "models\/a\.sql", whose checksum or size is wrong/
  expect(() => readArchive(damaged)).toThrow(message)
  if (level > 0) return
  const changed = Buffer.from(bytes)
  changed.write('S', bytes.indexOf('select'))
  expect(() => readArchive(changed)).toThrow(message)
})

test('refuses a damaged directory', () => {
  const bytes = Buffer.from(zip({ 'models/a.sql': SQL }))
  bytes.writeUInt32LE(0, bytes.indexOf(Buffer.from('504b0102', 'hex')))
  expect(() => readArchive(bytes)).toThrow(/an archive with a damaged directory/)
})
