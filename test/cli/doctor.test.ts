import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { describeWithServer, postgresServer } from '../servers.ts'
import { startTrino } from '../trino-server.ts'
import { runWarm, temporaryFolder } from './run-cli.ts'

function project(path: string): string {
  const folder = temporaryFolder()
  const database = new DatabaseSync(join(folder, 'raw.db'))
  database.exec('create table orders (id integer primary key); insert into orders values (1), (2)')
  database.close()
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\nprofile: shop\n')
  writeFileSync(
    join(folder, 'profiles.yml'),
    `shop: { target: dev, outputs: { dev: { type: sqlite, schema: main, schemas_and_paths: { main: ${path} } } } }\n`,
  )
  return folder
}

test('goes through the catalog of the profile around, and prints each step', async () => {
  const { code, stdout } = await runWarm(['doctor'], { folder: project('raw.db') })
  expect(stdout).toMatch(/^stagecraft \d+\.\d+\.\d+, Node v\d+/)
  expect(stdout).toMatch(/^ok {4}tables +1 table with 1 column in 1 schema \(\d+ ms\)$/m)
  expect(stdout).toMatch(/^ok {4}rows +2 rows of "main"\."orders" \(\d+ ms\)$/m)
  expect(stdout).toMatch(/^skip {2}cancel/m)
  expect(code).toBe(0)
})

const POSTGRES = await postgresServer()

describeWithServer('PostgreSQL', POSTGRES, () => {
  test('warns where the server has no TLS, although the profile prefers it, and checks each step once', async () => {
    const { hostname, password, port, username } = new URL(POSTGRES.url)
    const folder = project('raw.db')
    const output = JSON.stringify({
      type: 'postgres',
      host: hostname,
      port: Number(port || 5432),
      user: username,
      password,
      dbname: 'postgres',
      schema: 'public',
    })
    writeFileSync(join(folder, 'profiles.yml'), `shop: { target: dev, outputs: { dev: ${output} } }\n`)
    const { stdout } = await runWarm(['doctor', 'pg_catalog', '--json'], { folder })
    const { steps } = JSON.parse(stdout) as {
      readonly steps: readonly { readonly name: string; readonly outcome: string }[]
    }
    const named = (name: string): readonly string[] =>
      steps.filter((step) => step.name === name).map(({ outcome }) => outcome)
    expect(named('host')).toEqual(['works'])
    expect(named('connect')).toEqual(['warns', 'works'])
  })
})

test('exits with 1 where a step fails, and says it to programs, too', async () => {
  const folder = project('gone.db')
  const { code, stdout } = await runWarm(['doctor', '--json'], { folder })
  expect(code).toBe(1)
  const { steps } = JSON.parse(stdout) as {
    readonly steps: readonly { readonly name: string; readonly outcome: string }[]
  }
  expect(steps.at(-1)).toMatchObject({
    name: 'connect',
    outcome: 'fails',
    remedy: expect.any(String) as string,
  })
})

test('stopped with Ctrl-C, ends the statement, says so once and exits with 130', async () => {
  const server = await startTrino((statement) =>
    statement.includes('.schemata') ? { columns: ['schema_name'], rows: [['raw']] } : 'never ends',
  )
  onTestFinished(() => server.close())
  const parameters = ['doctor', '--catalog', `trino://reader@127.0.0.1:${server.port}/hive/raw`]
  const child = spawn(process.execPath, [repositoryPath('packages/cli/src/bin.ts'), ...parameters], {
    cwd: temporaryFolder(),
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const texts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text))
  const isAsked = (): boolean => server.requests.some(({ statement }) => statement.includes('.tables'))
  await expect.poll(isAsked, { timeout: 60_000 }).toBe(true)
  child.kill('SIGINT')
  const [code] = (await once(child, 'close')) as [number | null]
  expect(code).toBe(130)
  expect(texts.stderr).toBe('stopped; nothing was written\n')
  expect(texts.stdout).toMatch(/^ok {4}connect/m)
  expect(texts.stdout).not.toContain('FAIL')
  expect(server.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
})
