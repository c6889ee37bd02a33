import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { repositoryPath } from '../paths.ts'
import { type DbtResult, runInServer } from './dbt-server.ts'

/** An installed dbt. */
export interface Dbt {
  readonly name: 'dbt-1' | 'dbt-1.8' | 'dbt-1.9' | 'dbt-2'
  readonly program: string
}

/** Where a dbt is: the variable `STAGECRAFT_DBT_1` and so on, else where test/dbt/install.sh puts it. */
export function findDbt(name: Dbt['name']): Dbt | undefined {
  const variable = `STAGECRAFT_${name.toUpperCase().replace(/\W/g, '_')}`
  const program = process.env[variable] ?? repositoryPath(`.venvs/${name}/bin/dbt`)
  return existsSync(program) ? { name, program } : undefined
}

/** A target of profiles.yml. */
export type Target = Readonly<Record<string, string | number>> & { readonly type: 'duckdb' | 'postgres' }

/** Writes what makes a folder a dbt project. */
export async function writeProject(folder: string, target: Target): Promise<void> {
  await mkdir(folder, { recursive: true })
  const project = {
    name: 'generated',
    profile: 'generated',
    models: { generated: { '+materialized': 'view' } },
  }
  await writeFile(join(folder, 'dbt_project.yml'), stringify(project))
  await writeFile(
    join(folder, 'profiles.yml'),
    stringify({ generated: { target: 'dev', outputs: { dev: { ...target, threads: 2 } } } }),
  )
}

/** What became of one node of a build. */
interface NodeResult {
  readonly unique_id: string
  readonly status: string
  readonly message: string | null
}

export interface DbtRun extends DbtResult {
  readonly results: readonly NodeResult[]
}

/** v1 takes deprecations for errors when it is told to; v2 always does. */
const STRICT: Readonly<Record<Dbt['name'], readonly string[]>> = {
  'dbt-1': ['--warn-error-options', '{"error": ["Deprecations"]}'],
  'dbt-1.8': [],
  'dbt-1.9': [],
  'dbt-2': [],
}

/** Runs a dbt command in a project. */
export async function runDbt(dbt: Dbt, folder: string, command: readonly string[]): Promise<DbtRun> {
  const parameters = [...STRICT[dbt.name], ...command, '--project-dir', folder, '--profiles-dir', folder]
  const { code, output } = await run(dbt, parameters, folder)
  const file = join(folder, 'target', 'run_results.json')
  const results = existsSync(file)
    ? (JSON.parse(await readFile(file, 'utf8')) as { results: readonly NodeResult[] }).results
    : []
  return { code, output, results }
}

const ENVIRONMENT = { DBT_SEND_ANONYMOUS_USAGE_STATS: 'false', NO_COLOR: '1' }

/** Nobody reads the file of the log, and writing it takes a tenth of the time. */
const OF_V1 = { DBT_LOG_LEVEL_FILE: 'none' }

/** It calls PostgreSQL experimental, and looks for its drivers in the cache folder. */
const ofV2 = (program: string): NodeJS.ProcessEnv => ({
  DBT_ALLOW_EXPERIMENTAL_ADAPTERS: 'true',
  XDG_CACHE_HOME: join(dirname(dirname(program)), 'cache'),
})

function run({ name, program }: Dbt, parameters: readonly string[], folder: string): Promise<DbtResult> {
  const environment = { ...process.env, ...ENVIRONMENT, ...(name === 'dbt-2' ? ofV2(program) : OF_V1) }
  const python = join(dirname(program), 'python')
  if (name !== 'dbt-2' && existsSync(python)) return runInServer(python, environment, { folder, parameters })
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, { cwd: folder, env: environment })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/** The nodes that are not as they should be, with what dbt says of them. */
export function failures({ results }: DbtRun): readonly string[] {
  return results
    .filter(({ status }) => status !== 'success' && status !== 'pass')
    .map(({ message, status, unique_id }) => `${status} ${unique_id}: ${message ?? ''}`)
}
