import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeBeside, writeOutput } from './write-beside.ts'

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), 'stagecraft-write-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

function write(file: string, content: string, mode?: number): string {
  writeFileSync(file, content)
  if (mode !== undefined) chmodSync(file, mode)
  return file
}

test.each([0o600, 0o640, 0o755])('keeps the mode %o of a file', (mode) => {
  const file = write(join(folder(), 'a.yml'), 'old', mode)
  writeBeside(file, 'new').place()
  expect(readFileSync(file, 'utf8')).toBe('new')
  expect(statSync(file).mode & 0o777).toBe(mode)
})

test('lets nobody read a content that waits for a private file', () => {
  const root = folder()
  writeBeside(write(join(root, 'a.yml'), 'old', 0o600), 'secret')
  expect(readdirSync(root).map((name) => statSync(join(root, name)).mode & 0o777)).toEqual([0o600, 0o600])
})

test('refuses a read-only file', () => {
  const root = folder()
  const file = write(join(root, 'a.yml'), 'a', 0o444)
  expect(() => writeBeside(file, 'new')).toThrow(`${file}: expected a file to write, but it is read-only`)
  expect(readdirSync(root)).toEqual(['a.yml'])
  expect(readFileSync(file, 'utf8')).toBe('a')
})

test.each(['there', 'not there'])('follows links to a target that is %s', (state) => {
  const root = folder()
  mkdirSync(join(root, 'real'))
  if (state === 'there') write(join(root, 'real/a.yml'), 'old', 0o640)
  symlinkSync('real/a.yml', join(root, 'second'))
  symlinkSync('second', join(root, 'first'))
  writeBeside(join(root, 'first'), 'new').place()
  expect(readFileSync(join(root, 'real/a.yml'), 'utf8')).toBe('new')
  expect([readlinkSync(join(root, 'first')), readlinkSync(join(root, 'second'))]).toEqual([
    'second',
    'real/a.yml',
  ])
  expect(readdirSync(join(root, 'real'))).toEqual(['a.yml'])
})

test('writes through a pipe', async () => {
  const root = folder()
  const pipe = join(root, 'pipe')
  execFileSync('mkfifo', [pipe])
  const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] })
  const read: string[] = []
  reader.stdout.setEncoding('utf8').on('data', (text: string) => read.push(text))
  writeOutput('--output', pipe, 'through\n')
  await once(reader, 'close')
  expect(read.join('')).toBe('through\n')
  expect(lstatSync(pipe).isFIFO()).toBe(true)
  expect(readdirSync(root)).toEqual(['pipe'])
})

test('removes what a dead process left beside the file, and nothing of a living one', () => {
  const root = folder()
  const dead = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }))
  for (const name of [`a.yml.${dead}.tmp`, `a.yml.${process.ppid}.tmp`, `b.yml.${dead}.tmp`, 'a.yml.x.tmp'])
    write(join(root, name), 'left')
  writeBeside(join(root, 'a.yml'), 'new').place()
  expect(readdirSync(root).toSorted()).toEqual(
    ['a.yml', `a.yml.${process.ppid}.tmp`, 'a.yml.x.tmp', `b.yml.${dead}.tmp`].toSorted(),
  )
})

test.each([
  ['', 'the text is empty'],
  ['.', 'there is a folder of that name'],
  ['file/below', 'is not a folder'],
  ['file/below/deep', 'a part of its path is a file, not a folder'],
  ['loop/below', 'its links form a loop'],
  ['none/below', 'create it first'],
  ['loop', 'its links form a loop'],
  ['readonly', 'it is read-only'],
])('refuses to write an answer to "%s"', (path, reason) => {
  const root = folder()
  write(join(root, 'file'), 'mine')
  write(join(root, 'readonly'), 'mine', 0o444)
  symlinkSync('loop', join(root, 'loop'))
  const wanted = path === '' ? '' : join(root, path)
  expect(() => writeOutput('--output', wanted, 'new')).toThrow(
    expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringContaining(reason) as string }),
  )
  expect(() => writeOutput('--output', wanted, 'new')).toThrow(/^--output: expected a file to write/)
  expect(readdirSync(root)).toEqual(['file', 'loop', 'readonly'])
})
