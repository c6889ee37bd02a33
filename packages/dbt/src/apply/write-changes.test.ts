import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hashText } from '../lock/hashes.ts'
import { readIfThere } from './durable.ts'
import { readInterrupted, readUndo, recoverChanges, STATE_FOLDER, writeChanges } from './write-changes.ts'

function project(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-apply-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const CHANGES = [
  { path: 'models/new.sql', before: undefined, after: 'new' },
  { path: 'models/old.sql', before: 'old', after: 'changed' },
  { path: 'gone.sql', before: 'gone', after: undefined },
]
const FILES = { 'models/old.sql': 'old', 'gone.sql': 'gone' }

function hash(text: string | undefined): string | null {
  return text === undefined ? null : hashText(text)
}

function contents(folder: string): readonly (string | undefined)[] {
  return CHANGES.map(({ path }) => readIfThere(join(folder, path)))
}

test('writes, changes and removes, and takes it back', () => {
  const folder = project(FILES)
  writeChanges(folder, CHANGES)
  expect(contents(folder)).toEqual(['new', 'changed', undefined])
  expect(existsSync(join(folder, STATE_FOLDER, 'apply'))).toBe(false)
  const undo = readUndo(folder)
  expect(undo?.command).toBe('apply')
  writeChanges(folder, undo?.changes ?? [], { command: 'forget' })
  expect(contents(folder)).toEqual([undefined, 'old', 'gone'])
  expect(readUndo(folder)?.command).toBe('forget')
  writeChanges(folder, readUndo(folder)?.changes ?? [])
  expect(contents(folder)).toEqual(['new', 'changed', undefined])
  writeFileSync(join(folder, 'models/new.sql'), 'mine')
  expect(() => readUndo(folder)).toThrow(
    'these files were changed since the last apply, so it is not undone:\n  models/new.sql',
  )
})

test('writes nothing when a file is not as it was', () => {
  const folder = project({ ...FILES, 'models/old.sql': 'other' })
  expect(() => writeChanges(folder, CHANGES)).toThrow(
    'the plan is stale, because these files changed since it was made; plan again:\n  models/old.sql',
  )
  expect(contents(folder)).toEqual([undefined, 'other', 'gone'])
})

test('writes nothing where a folder cannot be', () => {
  const folder = project({ ...FILES, blocked: 'a file' })
  expect(() =>
    writeChanges(folder, [...CHANGES, { path: 'blocked/x.sql', before: undefined, after: 'x' }]),
  ).toThrow('nothing was written: the disk reports')
  expect(contents(folder)).toEqual([undefined, 'old', 'gone'])
  writeChanges(folder, CHANGES)
  expect(contents(folder)).toEqual(['new', 'changed', undefined])
})

test('keeps links and permissions', () => {
  const folder = project({ 'real.sql': 'old' })
  symlinkSync('real.sql', join(folder, 'link.sql'))
  const mode = statSync(join(folder, 'real.sql')).mode
  writeChanges(folder, [{ path: 'link.sql', before: 'old', after: 'new' }])
  expect(lstatSync(join(folder, 'link.sql')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(folder, 'real.sql'), 'utf8')).toBe('new')
  expect(statSync(join(folder, 'real.sql')).mode).toBe(mode)
})

test('waits for nobody: a project that another process writes to is refused', () => {
  const folder = project(FILES)
  const state = join(folder, STATE_FOLDER, 'apply')
  mkdirSync(state, { recursive: true })
  writeFileSync(join(state, 'journal.json'), JSON.stringify({ process: process.ppid, steps: [] }))
  expect(() => writeChanges(folder, CHANGES)).toThrow('another stagecraft is writing to this project')
  writeFileSync(join(state, 'journal.json'), JSON.stringify({ process: 2 ** 30, steps: [] }))
  writeChanges(folder, CHANGES)
  expect(contents(folder)).toEqual(['new', 'changed', undefined])
})

test('reads what a dead process left to finish, finishes it, and says what it was', () => {
  const folder = project(FILES)
  writeChanges(folder, CHANGES, { command: 'adopt' })
  const shared = join(folder, STATE_FOLDER, 'apply')
  const steps = CHANGES.map(({ after, before, path }) => ({ path, before: hash(before), after: hash(after) }))
  mkdirSync(shared, { recursive: true })
  writeFileSync(join(shared, 'journal.json'), JSON.stringify({ process: 2 ** 30, steps }))
  writeFileSync(join(shared, 'undo.json'), JSON.stringify({ command: 'adopt', changes: [] }))
  writeFileSync(join(shared, '1.txt'), 'changed')
  writeFileSync(join(folder, 'models/old.sql'), 'old')
  const left = { command: 'adopt', texts: new Map(CHANGES.map(({ after, path }) => [path, after])) }
  expect(readInterrupted(folder)).toEqual(left)
  expect(contents(folder)).toEqual(['new', 'old', undefined])
  expect(recoverChanges(folder)).toEqual(left)
  expect(contents(folder)).toEqual(['new', 'changed', undefined])
  expect(recoverChanges(folder)).toBeUndefined()
})

test('does not finish over what somebody changed after the process died', () => {
  const folder = project(FILES)
  const state = join(folder, STATE_FOLDER, 'apply')
  mkdirSync(state, { recursive: true })
  const steps = [{ path: 'models/old.sql', before: 'a'.repeat(64), after: 'b'.repeat(64) }]
  writeFileSync(join(state, 'journal.json'), JSON.stringify({ process: 2 ** 30, steps }))
  expect(() => recoverChanges(folder)).toThrow('restore them, or delete .stagecraft/apply:\n  models/old.sql')
})
