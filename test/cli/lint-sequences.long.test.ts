// What `lint --fix` leaves when it is stopped, done again, or mixed with a baseline.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { lintProject } from './lint-project.ts'
import { readFolder, runWarm } from './run-cli.ts'

const FILES = 400
const FIX = ['lint', '--fix', '--select', 'SC403', 'SC902'] as const
const pathOf = (index: number): string => `models/m${index}.sql`
const AFTER = 'select 1 as id\n'
const BEFORE = 'select 1 as id -- stagecraft: ignore SC403 gone\n'

function manyFiles(): string {
  const files = Array.from({ length: FILES }, (_, index) => [pathOf(index), BEFORE] as const)
  return lintProject({ 'dbt_project.yml': 'name: shop\n', ...Object.fromEntries(files) })
}

const textsOf = (folder: string): readonly string[] =>
  Array.from({ length: FILES }, (_, index) => readFileSync(join(folder, pathOf(index)), 'utf8'))

/** Starts a fix, and stops it a moment after it began to write. */
async function stopWhileWriting(folder: string, signal: NodeJS.Signals, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [repositoryPath('packages/cli/src/bin.ts'), ...FIX], {
    cwd: folder,
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const closed = new Promise((resolve) => child.once('close', resolve))
  await expect
    .poll(() => existsSync(join(folder, '.stagecraft')), { timeout: 60_000, interval: 2 })
    .toBe(true)
  await wait(afterMs)
  child.kill(signal)
  await closed
}

test.each([
  ['SIGKILL', 0],
  ['SIGKILL', 60],
  ['SIGINT', 0],
  ['SIGINT', 60],
] as const)(
  '%s after %i ms leaves whole files, and the next run ends what was begun',
  async (signal, afterMs) => {
    const folder = manyFiles()
    await stopWhileWriting(folder, signal, afterMs)
    expect(textsOf(folder).filter((text) => text !== BEFORE && text !== AFTER)).toEqual([])
    const { code } = await runWarm([...FIX], { folder })
    expect(code).toBe(0)
    expect(new Set(textsOf(folder))).toEqual(new Set([AFTER]))
    const state = Object.keys(readFolder(folder)).filter((path) => path.startsWith('.stagecraft/apply'))
    expect(state).toEqual([])
  },
)

const MIXED = {
  'dbt_project.yml': "name: shop\nrequire-dbt-version: '>=1.10.5'\n",
  'models/a.sql': 'select 1 as id, 2 as status -- stagecraft: ignore SC403 gone\n',
  'models/m.yml':
    'models:\n  - name: a\n    columns:\n      - name: id\n        tests:\n          - accepted_values:\n              values: [1]\n',
} as const
const ALL = ['--select', 'SC302', 'SC306', 'SC403', 'SC902'] as const

test('a second --fix changes nothing', async () => {
  const folder = lintProject(MIXED)
  const first = await runWarm(['lint', '--fix', ...ALL], { folder })
  expect(first.stderr).toMatch(/^fixed 4 findings in 2 files\n/)
  const mended = readFolder(folder)
  const second = await runWarm(['lint', '--fix', ...ALL], { folder })
  expect(second.stderr).toBe('fixed 0 findings in 0 files\n')
  expect(readFolder(folder)).toEqual(mended)
})

test('known findings are not fixed; without the baseline they are, and it is then pruned', async () => {
  const folder = lintProject(MIXED)
  expect((await runWarm(['lint', ...ALL, '--update-baseline'], { folder })).stderr).toContain(
    '4 known findings',
  )
  expect((await runWarm(['lint', '--fix', ...ALL], { folder })).stderr).toBe('fixed 0 findings in 0 files\n')
  expect((await runWarm(['lint', '--fix', ...ALL, '--no-baseline'], { folder })).stderr).toMatch(/^fixed 4/)
  const stale = await runWarm(['lint', ...ALL], { folder })
  expect(stale.stdout).toContain('SC902')
  const updated = await runWarm(['lint', ...ALL, '--update-baseline'], { folder })
  expect(updated.stderr).toContain('0 known findings, 0 added, 4 dropped')
  expect((await runWarm(['lint', ...ALL], { folder })).code).toBe(0)
})
