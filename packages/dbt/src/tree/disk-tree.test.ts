import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { diskTree } from './disk-tree.ts'
import { memoryTree } from './memory-tree.ts'
import { readText } from './read-text.ts'

function folder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = mkdtempSync(join(tmpdir(), 'stagecraft-tree-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return root
}

const FILES = { 'b/two.sql': 'b', 'a.yml': '\uFEFFa\r\n', 'b/c/deep.sql': 'c', 'skipped/x.sql': 'x' }

test.each([
  ['a folder on disk', () => diskTree(folder(FILES))],
  ['contents in memory', () => memoryTree(FILES)],
])('%s lists and reads its files', async (_, create) => {
  const tree = create()
  const paths = async (from: string, skip?: (path: string) => boolean) =>
    (await tree.list(from, skip && { skip })).map(({ path }) => path)
  expect(await paths('')).toEqual(['a.yml', 'b/c/deep.sql', 'b/two.sql', 'skipped/x.sql'])
  expect(await paths('b')).toEqual(['b/c/deep.sql', 'b/two.sql'])
  expect(await paths('', (path) => path === 'skipped' || path === 'b/c')).toEqual(['a.yml', 'b/two.sql'])
  expect(await paths('nothing')).toEqual([])
  expect(await readText(tree, 'a.yml')).toBe('\uFEFFa\r\n')
  expect(await tree.read('b/none.sql')).toBeUndefined()
})

test('follows links, and none in a circle', async () => {
  const root = folder(FILES)
  symlinkSync(root, join(root, 'b/circle'))
  symlinkSync(join(root, 'b/c'), join(root, 'linked'))
  symlinkSync(join(root, 'gone'), join(root, 'broken.sql'))
  symlinkSync('loop', join(root, 'b/loop'))
  symlinkSync('loop.sql', join(root, 'b/loop.sql'))
  const leftOut: string[] = []
  const listed = await diskTree(root).list('', {
    onLeftOut: (path, reason) => leftOut.push(`${path}: ${reason}`),
  })
  expect(listed.map(({ path }) => path)).toEqual([
    'a.yml',
    'b/c/deep.sql',
    'b/two.sql',
    'linked/deep.sql',
    'skipped/x.sql',
  ])
  expect(leftOut.toSorted()).toEqual([
    'b/circle: a link to one of its own parent folders, so it is not followed',
    'b/loop.sql: a link that leads to itself',
    'b/loop: a link that leads to itself',
  ])
})

test('knows a file by its times once they are old enough to tell changes apart', async () => {
  const root = folder({ 'a.sql': 'one' })
  // The times of files are those of the disk, whatever the clock of this process says.
  const { mtimeMs: written } = statSync(join(root, 'a.sql'))
  const later = diskTree(root, { now: () => written + 60_000 })
  const versions = async (tree = later) => (await tree.list('')).map(({ version }) => version)
  expect(await versions(diskTree(root, { now: () => written }))).toEqual([undefined])
  const first = await versions()
  expect(first).toEqual([expect.any(String)])
  writeFileSync(join(root, 'a.sql'), 'two')
  utimesSync(join(root, 'a.sql'), new Date('2026-01-01'), new Date('2026-01-01'))
  expect(await versions()).not.toEqual(first)
})

test('refuses what is no text, or no file', async () => {
  const tree = diskTree(folder({ 'latin.yml': new Uint8Array([0x61, 0xe9]), 'b/two.sql': 'b' }))
  await expect(readText(tree, 'latin.yml')).rejects.toThrow('latin.yml: expected UTF-8, got other bytes')
  await expect(tree.read('b')).rejects.toThrow('b: expected a file, but it is a folder')
})
