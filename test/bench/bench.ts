// Prints how fast and how large Stagecraft is on this machine. Run: pnpm bench
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { repositoryPath } from '../paths.ts'
import { dropSchema, fillSchema } from './postgres-schema.ts'

const postgresUrl = process.env['STAGECRAFT_TEST_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/test'
const node = process.execPath
const cli = repositoryPath('packages/cli/dist/bundle/bin.js')

/** The command as one file, if `npm run -s executable` has built it. */
const executable = repositoryPath('dist/stagecraft')

/** Wall time of a program in milliseconds: the middle one of some runs, after one that does not count. */
function wallTime(parameters: readonly string[], runs = 7, program = node): number {
  const times = Array.from({ length: runs + 1 }, () => {
    const start = performance.now()
    const { error, status, stderr } = spawnSync(program, parameters, { encoding: 'utf8' })
    if (error ?? status !== 0) throw error ?? new Error(stderr)
    return performance.now() - start
  })
  return times.slice(1).toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0
}

/** The measurement and what it imports, as plain scripts: what reads types in Node takes 17 MB. */
const MEASUREMENT = [
  'test/bench/in-process',
  'test/bench/built-packages',
  'test/bench/tables',
  'packages/demo/src/random',
]

function writeScripts(folder: string): string {
  for (const name of MEASUREMENT) {
    const script = stripTypeScriptTypes(readFileSync(repositoryPath(`${name}.ts`), 'utf8'))
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, `${name}.mjs`), script.replace(/(?<=from '\.[^']*)\.ts(?=')/g, '.mjs'))
  }
  return join(folder, 'test/bench/in-process.mjs')
}

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-bench-'))
const script = writeScripts(folder)

function inProcess(tables: number, columns: number, ...flags: readonly string[]): void {
  const { stdout, status, stderr } = spawnSync(node, [...flags, script, String(tables), String(columns)], {
    cwd: repositoryPath(''),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  const shown = flags.length > 0 ? `, ${flags.join(' ')}` : ''
  process.stdout.write(`in process, ${tables} tables x ${columns} columns${shown}: ${stdout.trim()}\n`)
}

inProcess(100, 20)
inProcess(1000, 30)
inProcess(10_000, 30)
inProcess(10_000, 30, '--max-heap-size=256')
rmSync(folder, { recursive: true })

const schema = await fillSchema(postgresUrl, 100, 20)
const generate = wallTime([cli, 'generate', `${schema}.*`, '--catalog', postgresUrl], 5)
await dropSchema(postgresUrl, schema)
process.stdout.write(`command line, 100 tables x 20 columns from PostgreSQL: ${generate.toFixed(0)} ms\n`)

const bare = wallTime(['-e', '0'])
const help = wallTime([cli, '--help'])
process.stdout.write(`start-up: node -e 0 ${bare.toFixed(0)} ms, stagecraft --help ${help.toFixed(0)} ms\n`)

if (existsSync(executable)) {
  const alone = wallTime(['--help'], 21, executable)
  const times = (alone / wallTime([cli, '--help'], 21)).toFixed(2)
  process.stdout.write(
    `start-up of the executable: ${alone.toFixed(0)} ms, ${times} times that of the script\n`,
  )
}
