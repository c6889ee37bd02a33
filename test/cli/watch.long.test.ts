import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { runCli, temporaryFolder } from './run-cli.ts'

const CATALOG = repositoryPath('test/cli/columns.yml')

/** A command that goes on, and what it has said so far. */
function start(folder: string, parameters: readonly string[]) {
  const child: ChildProcess = spawn(
    process.execPath,
    [repositoryPath('packages/cli/src/bin.ts'), ...parameters, '--catalog', CATALOG, '--watch'],
    { cwd: folder, env: { ...process.env, NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const said = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.stderr += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  onTestFinished(() => void child.kill('SIGKILL'))
  const runs = (): number => said.stderr.split('watching for changes').length - 1
  return { child, ended, runs, said }
}

function project(): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\n')
  mkdirSync(join(folder, 'models'))
  return folder
}

const until = { timeout: 60_000 }

test('plan --watch shows the difference again at every save, and ends at Ctrl-C', async () => {
  const folder = project()
  const { child, ended, runs, said } = start(folder, ['plan', 'shop.*'])
  await expect.poll(runs, until).toBe(1)
  expect(said.stdout).toContain('id as order_id')

  writeFileSync(join(folder, 'stagecraft.yml'), 'naming:\n  ids: false\n')
  await expect.poll(runs, until).toBe(2)
  expect(said.stderr).toContain('changed stagecraft.yml')
  expect(said.stdout.split('plan: ')).toHaveLength(3)
  expect(said.stdout.split('plan: ')[1]).not.toContain('id as order_id')

  // what is wrong is told, and the next save mends it
  writeFileSync(join(folder, 'stagecraft.yml'), 'naming:\n  idz: false\n')
  await expect.poll(runs, until).toBe(3)
  expect(said.stderr).toContain('naming.idz')
  writeFileSync(join(folder, 'stagecraft.yml'), 'preset: fivetran\n')
  await expect.poll(runs, until).toBe(4)
  expect(said.stdout.split('plan: ')).toHaveLength(4)

  mkdirSync(join(folder, 'models/by_hand'))
  writeFileSync(join(folder, 'models/by_hand/other.sql'), 'select 1 as one\n')
  await expect.poll(runs, until).toBeGreaterThan(4)
  child.kill('SIGINT')
  expect(await ended).toBe(0)
})

test('several saves in a row are one change, and what is built is none', async () => {
  const folder = project()
  mkdirSync(join(folder, 'target'))
  const { child, ended, runs, said } = start(folder, ['plan', 'shop.*'])
  await expect.poll(runs, until).toBe(1)
  writeFileSync(join(folder, 'target/run.sql'), 'select 1\n')
  for (const number of [1, 2, 3]) writeFileSync(join(folder, 'stagecraft.yml'), `# ${number}\n`)
  await expect.poll(runs, until).toBe(2)
  expect(said.stderr).not.toContain('changed target')
  child.kill('SIGINT')
  expect(await ended).toBe(0)
  expect(runs()).toBe(2)
})

test('generate --watch follows templates outside of a project', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'own'))
  const template = join(folder, 'own/staging.sql.njk')
  writeFileSync(template, '-- first\nselect <$ columns[0].alias $> from x\n')
  writeFileSync(join(folder, 'stagecraft.yml'), 'templates:\n  staging.sql: own/staging.sql.njk\n')
  const { child, ended, runs, said } = start(folder, ['generate', 'shop.customers'])
  await expect.poll(runs, until).toBe(1)
  writeFileSync(template, '-- second\nselect 1\n')
  await expect.poll(runs, until).toBe(2)
  expect(said.stderr).toContain('changed own/staging.sql.njk')
  child.kill('SIGINT')
  expect(await ended).toBe(0)
})

test.each([
  [['plan', '--json'], 'expected --watch without --json'],
  [['plan', '--exit-code'], 'expected --watch without --exit-code'],
  [['generate', 'shop.orders', '--out', 'models'], 'expected --watch without --out'],
])('%j does not go with --watch', async (parameters, message) => {
  const { code, stderr, stdout } = await runCli([...parameters, '--watch'], { folder: project() })
  expect(code).toBe(2)
  expect(stderr + stdout).toContain(message)
})
