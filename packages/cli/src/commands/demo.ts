import { access, constants, mkdir, rm, writeFile } from 'node:fs/promises'
import { delimiter, join, relative } from 'node:path'
import { openCatalog } from '@stagecraft/catalogs'
import { type GeneratedFile, StagecraftError } from '@stagecraft/spec'
import { assertWritable } from '../files/make-folder.ts'
import { readIfThere } from '../files/read-if-there.ts'
import { applyPlan } from '../project/apply-plan.ts'
import { type MadePlan, planFromCatalog } from '../project/make-plan.ts'
import { openProject } from '../project/open-project.ts'
import { openContext } from './open-engine.ts'
import { count, printWarnings, seconds } from '../terminal/report.ts'
import { heading, print } from '../terminal/print.ts'
import { buildWarehouse, type WarehouseSummary, writeDbtProject } from '@stagecraft/demo'
import { spawn } from 'node:child_process'

/** The model that the demo shows, because it has the most features. */
const SHOWN = 'stg_crm__opportunities'

/** Marks a folder that the demo may replace. */
const MARK = 'stagecraft-demo.txt'

/** `stagecraft demo`: builds the demo in a separate folder, and replaces only a folder of its own. */
export async function demoCommand({ out }: { readonly out: string }): Promise<void> {
  assertWritable(out, '--out')
  await clear(out)
  await runDemo(out)
}

async function clear(folder: string): Promise<void> {
  const isThere = (await readIfThere(join(folder, 'warehouse.duckdb')).catch(() => '')) !== undefined
  if (!isThere) return
  if ((await readIfThere(join(folder, MARK))) === undefined) {
    throw StagecraftError.invalid({
      path: '--out',
      expected: 'a folder that is new, or that the demo made',
      received: folder,
    })
  }
  await rm(folder, { recursive: true })
}

/**
 * Builds a raw warehouse, generates the staging layer for it, and prints the result. Runs `dbt build` if dbt is on the
 * PATH.
 */
async function runDemo(folder: string): Promise<void> {
  const warehouse = join(folder, 'warehouse.duckdb')
  const project = join(folder, 'dbt')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, MARK), 'The demo of stagecraft made this folder, and may create it again.\n')
  const built = await timed(() => buildWarehouse(warehouse))
  heading(`A raw warehouse: ${relative('', warehouse)}`)
  printWarehouse(built.result)
  await writeDbtProject(project)
  const generated = await timed(() => generateAll(warehouse, project))
  const { plan, warnings } = generated.result
  const files = plan.files.map(({ after: content = '', covers, path }) => ({ path, content, covers }))
  heading(`Its staging layer: ${relative('', project)}`)
  printTree(files)
  printSamples(files)
  heading('Warnings')
  printWarnings({ models: plan.models, warnings: [...warnings, ...plan.warnings] })
  heading('Times')
  print(`warehouse   ${seconds(built.milliseconds)}  ${count(rowsOf(built.result), 'row')}`)
  print(`generation  ${seconds(generated.milliseconds)}  ${count(plan.models.length, 'model')}`)
  await buildWithDbt(project)
}

interface Timed<Result> {
  readonly result: Result
  readonly milliseconds: number
}

async function timed<Result>(work: () => Promise<Result>): Promise<Timed<Result>> {
  const start = performance.now()
  const result = await work()
  return { result, milliseconds: performance.now() - start }
}

/** Plans and applies as `stagecraft apply` does in the project, whose configuration has only defaults. */
async function generateAll(warehouse: string, folder: string): Promise<MadePlan> {
  const catalog = await openCatalog(`duckdb:${warehouse}`)
  try {
    const project = await openProject(folder)
    const opening = { config: {}, configFolder: folder, dialect: catalog.dialect }
    const context = await openContext({ backend: false }, opening, { project })
    const selection = { sources: [], all: true, type: 'staging', options: {} } as const
    const { signal } = new AbortController()
    const made = await planFromCatalog(selection, { catalog, signal }, { project, context, flags: {} })
    await applyPlan(made.plan, project, {})
    return made
  } finally {
    await catalog.close()
  }
}

function rowsOf(summary: WarehouseSummary): number {
  return summary.reduce((sum, { rows }) => sum + rows, 0)
}

function printWarehouse(summary: WarehouseSummary): void {
  for (const { loader, rows, schema, tables } of summary) {
    const filledBy = loader === 'none' ? 'declared keys, awkward names' : `loaded by ${loader}`
    print(
      `${schema.padEnd(10)} ${String(tables).padStart(2)} tables ${String(rows).padStart(6)} rows   ${filledBy}`,
    )
  }
}

/** Prints folders with their files; of many models, only the first. */
function printTree(files: readonly GeneratedFile[]): void {
  for (const [folder, group] of Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf('/')))) {
    const names = group.map(({ path }) => path.slice(folder.length + 1))
    const rest = names.length > 5 ? [`… ${names.length - 5} more`] : []
    print([`${folder}/`, ...[...names.slice(0, 5), ...rest].map((name) => `  ${name}`)].join('\n'))
  }
}

function printSamples(files: readonly GeneratedFile[]): void {
  const model = files.find(({ path }) => path.endsWith(`/${SHOWN}.sql`))
  if (!model) return
  heading(model.path)
  print(model.content.trimEnd())
  const yaml = files.find(({ covers, path }) => path.endsWith('models.yml') && covers.includes(SHOWN))
  const start = yaml?.content.indexOf(`  - name: ${SHOWN}\n`) ?? -1
  if (!yaml || start < 0) return
  const end = yaml.content.indexOf('\n  - name: ', start + 1)
  heading(`${yaml.path}, the entry of ${SHOWN}`)
  print(yaml.content.slice(start, end < 0 ? undefined : end).trimEnd())
}

async function buildWithDbt(project: string): Promise<void> {
  heading('dbt build')
  const dbt = await findOnPath('dbt')
  if (dbt === undefined) {
    print('dbt is not on the PATH. With dbt-duckdb installed, this builds and tests all of it:')
    print(`  cd ${relative('', project)} && dbt build --profiles-dir .`)
    return
  }
  const code = await runCommand(dbt, ['build', '--profiles-dir', '.'], project)
  if (code !== 0) process.exitCode = 1
}

/** Returns the first program of a name on the PATH. */
async function findOnPath(name: string): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  for (const folder of folders) {
    const file = join(folder, process.platform === 'win32' ? `${name}.exe` : name)
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return file
  }
  return undefined
}

/** Runs a program in a folder, passes on its output, and returns its exit code. */
function runCommand(program: string, parameters: readonly string[], folder: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, { cwd: folder, stdio: 'inherit' })
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
}
