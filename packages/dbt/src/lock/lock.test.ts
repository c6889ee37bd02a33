import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashText } from './hashes.ts'
import { memoryTree } from '../tree/memory-tree.ts'
import { type Lock, LOCK_FILE, type LockedTable, parseLock, printLock, readLock } from './lock.ts'

function locked(table: string, type = 'integer', revision = 1): readonly [string, LockedTable] {
  const [name, path] = [`stg_shop__${table}`, `models/staging/shop/stg_shop__${table}.sql`]
  return [
    `shop.${table}`,
    {
      item: {
        request: { type: 'staging', source: `shop.${table}` },
        table: { schema: 'shop', name: table, columns: [{ name: 'id', type }] },
      },
      revision,
      generator: '0.1.0',
      dialect: 'duckdb',
      settings: 'abc',
      model: { name, path, sha256: hashText(table) },
      properties: undefined,
      source: { name: 'shop', table, path: 'models/staging/shop/_shop__sources.yml', sha256: hashText(type) },
    },
  ]
}

const lockOf = (...tables: readonly string[]): Lock => new Map(tables.map((table) => locked(table)))

test('has one line per table, sorted, and is JSON', () => {
  const text = printLock(lockOf('b', 'a'))
  expect(text.split('\n').map((line) => line.slice(0, 12))).toEqual([
    '{',
    '"stagecraft"',
    ',"shop.a": {',
    ',"shop.b": {',
    '}',
    '',
  ])
  expect(Object.keys(JSON.parse(text) as object)).toEqual(['stagecraft', 'shop.a', 'shop.b'])
  expect(printLock(parseLock(text))).toBe(text)
})

test('keeps what a language model was allowed to decide', () => {
  const [key, table] = locked('a')
  const edit = { description: 'Orders.', columns: new Map([[0, { tests: [], name: 'order_id' }]]) }
  const lock = new Map([[key, { ...table, item: { ...table.item, edit } }]])
  expect(parseLock(printLock(lock as unknown as Lock)).get(key)?.item.edit).toEqual(edit)
})

test.each([
  ['', 'stagecraft.lock: expected a lock written by stagecraft, got an empty file'],
  ['# yarn lockfile v1\n', 'got another file; restore it'],
  ['{\n"stagecraft": 7\n}\n', 'got one of layout 7, written by a newer stagecraft; update stagecraft'],
  [
    '{\n"stagecraft": 1\n,"shop.a": {"item":\n}\n',
    'stagecraft.lock:3: expected a line written by stagecraft',
  ],
  [printLock(lockOf('a')).replace('models/staging', '../../etc'), 'stagecraft.lock:3: expected a line'],
  [printLock(lockOf('a')).replace(/[0-9a-f]{64}/, 'abc'), 'stagecraft.lock:3: expected a line'],
])('says what is wrong with %j', (text, message) => {
  expect(() => parseLock(text)).toThrow(message)
})

test('finishes a merge in which both sides agree on every table', () => {
  const [head, version, a = '', b = '', c = '', end] = printLock(lockOf('a', 'b', 'c')).split('\n')
  const text = [
    head,
    version,
    '<<<<<<< HEAD',
    a,
    b,
    '||||||| base',
    a.replace('integer', 'text'),
    '=======',
    a,
    c,
    '>>>>>>> x',
    end,
  ].join('\n')
  expect([...parseLock(text).keys()]).toEqual(['shop.a', 'shop.b', 'shop.c'])
})

test('of two lines that branches changed, that of the present model counts, else the later, else what both have', async () => {
  const [[key, ours], [, theirs], [, later]] = [locked('a'), locked('a', 'text'), locked('a', 'date', 3)]
  const wider: LockedTable = {
    ...theirs,
    model: { ...theirs.model, sha256: hashText('theirs') },
    item: {
      ...theirs.item,
      table: { ...theirs.item.table, columns: [...ours.item.table.columns, { name: 'note', type: 'text' }] },
    },
  }
  const textOf = (...lines: readonly LockedTable[]): string =>
    [
      '{',
      '"stagecraft": 1',
      ...lines.map((line) => printLock(new Map([[key, line]])).split('\n')[2]),
      '}',
    ].join('\n')
  const read = async (text: string, model: string): Promise<LockedTable | undefined> => {
    const tree = memoryTree({ [LOCK_FILE]: text, [ours.model.path]: model })
    const { lock = new Map(), twins } = (await readLock(tree)) ?? {}
    expect(twins).toEqual([key])
    return lock.get(key)
  }
  for (const text of [textOf(ours, wider), textOf(wider, ours)]) {
    expect(await read(text, 'a')).toEqual(ours)
    expect(await read(text, 'theirs')).toEqual(wider)
    for (const line of [await read(text, 'merged by git'), parseLock(text).get(key)])
      expect(line?.item.table).toEqual(ours.item.table)
  }
  expect(await read(textOf(later, wider), 'merged by git')).toEqual(later)
  expect(await read(textOf(later, wider), 'theirs')).toEqual({ ...wider, revision: 3 })
})

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stagecraft-lock-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function git(...parameters: readonly string[]): string {
  const own = [
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@example.org',
    '-c',
    'commit.gpgsign=false',
    '-c',
    'init.defaultBranch=main',
  ]
  return execFileSync('git', [...own, ...parameters], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
}

/** Commits a lock on a branch of its own. */
function branch(name: string, lock: Lock): void {
  git('checkout', '-q', '-b', name, 'main')
  writeFileSync(join(folder, LOCK_FILE), printLock(lock))
  git('commit', '-qam', name)
}

test('git merges branches that add tables, side by side too', () => {
  git('init', '-q')
  writeFileSync(join(folder, '.gitattributes'), `${LOCK_FILE} merge=union\n`)
  writeFileSync(join(folder, LOCK_FILE), printLock(lockOf('a', 'k')))
  git('add', '.')
  git('commit', '-qm', 'first')
  branch('ann', lockOf('a', 'b', 'k'))
  branch('ben', lockOf('a', 'c', 'k', 'z'))
  branch('cem', new Map([...lockOf('d', 'k'), locked('a', 'text', 2)]))
  branch('dan', new Map([...lockOf('k'), locked('a', 'date', 2)]))
  git('checkout', '-q', 'main')
  const merged = (...names: readonly string[]): Lock => {
    for (const name of names) git('merge', '-q', '--no-edit', name)
    return parseLock(readFileSync(join(folder, LOCK_FILE), 'utf8'))
  }
  const lock = merged('ann', 'ben', 'cem')
  expect([...lock.keys()].toSorted()).toEqual(['shop.a', 'shop.b', 'shop.c', 'shop.d', 'shop.k', 'shop.z'])
  expect(lock.get('shop.a')?.item.table.columns[0]?.type).toBe('text')
  expect(merged('dan').get('shop.a')).toBeDefined()
})

test('keeps a table on one line whatever its comments hold', () => {
  const [key, table] = locked('a')
  const comment = 'one\u2028two\u2029three\u0085four\n=======\nfive'
  const lock: Lock = new Map([
    [key, { ...table, item: { ...table.item, table: { ...table.item.table, comment } } }],
  ])
  const text = printLock(lock)
  expect(text).not.toMatch(/[\u0085\u2028\u2029]/)
  expect(parseLock(text)).toEqual(lock)
  const unescaped = text.replaceAll('\\u2028', '\u2028')
  expect(parseLock(unescaped)).toEqual(lock)
})
