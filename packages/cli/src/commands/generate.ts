import type { Engine, EngineAnswer } from '@stagecraft/core'
import type { ProjectAnswer } from '@stagecraft/core/run'
import { compareText, type ModelType, StagecraftError } from '@stagecraft/spec'
import { chooseBackend } from '../backend/choose-backend.ts'
import { printEnvelopes } from '../terminal/envelopes.ts'
import { assertWritable } from '../files/make-folder.ts'
import { createProgress } from '../terminal/progress.ts'
import { paint } from '../terminal/paint.ts'
import { printCatalogWarnings, printRunWarnings } from '../terminal/report.ts'
import { printGeneration, reportAnswers, writeGeneration } from './deliver.ts'
import { findProjectRoot, withDeclaredNames } from '@stagecraft/dbt'
import { openProject, whileHeld } from '../project/open-project.ts'
import { applyPlan } from '../project/apply-plan.ts'
import { withLearned } from '../project/learn-project.ts'
import { summarize } from '../project/print-plan.ts'
import { reportWritten } from './apply.ts'
import { type EngineFlags, openEngine } from './open-engine.ts'
import { makePlanFor, withRows } from './plan.ts'
import { type Opened, withCatalog } from './shared-flags.ts'
import { withoutBuilt } from './without-built.ts'

export interface GenerateFlags extends EngineFlags {
  readonly all?: boolean
  readonly type: ModelType
  readonly out?: string
  readonly force?: boolean
  /** Profiles the rows of the tables first. */
  readonly profile?: boolean
  /** Skips tables with more rows. */
  readonly maxRows?: string
  /** Skips tables that take more space. */
  readonly maxBytes?: string
  /** Reads tables again even if their rows did not change. */
  readonly fresh?: boolean
  /** Follows the conventions of the staging models in the surrounding project. */
  readonly learn?: boolean
  /** A file with the results of the statements of `profile --print-sql`. */
  readonly profileFrom?: string
  readonly tests: boolean
  readonly docs: boolean
  readonly json?: boolean
  /** Generates again after every save. */
  readonly watch?: boolean
}

/** The defaults of the command line: everything is on, and flags switch parts off. */
const DEFAULTS = { addTests: true, addDocs: true }

/** `stagecraft generate`: prints code, writes it, or answers as JSON. */
export function generateCommand(sources: readonly string[], flags: GenerateFlags): Promise<void> {
  return generate(sources, flags, '.')
}

/** @param around The dbt project, or a folder in it, whose names apply to printed code. */
async function generate(sources: readonly string[], flags: GenerateFlags, around: string): Promise<void> {
  if (flags.watch) {
    const { watchProject } = await import('./watch-project.ts')
    const { watch: _, ...once } = flags
    const refused = ['json', 'out', 'showPrompt']
    await watchProject({ ...flags }, { folder: '.', refused, work: () => generateCommand(sources, once) })
    return
  }
  assertSources(sources, flags.all ?? false)
  if (flags.out !== undefined) assertWritable(flags.out, '--out')
  if (flags.out !== undefined && !flags.showPrompt && (await findProjectRoot(flags.out)) !== undefined) {
    const { out, ...rest } = flags
    await generateIntoProject(sources, rest, out)
    return
  }
  await withCatalog(flags, async (given) => {
    printCatalogWarnings(given.catalog)
    const wanted = withoutBuilt(given, { folder: flags.out ?? '.' })
    const seen = await withRows(wanted, flags, flags.out)
    const learned = flags.learn ? await withLearned(seen, flags.out ?? '.') : seen
    const opened =
      flags.out === undefined ? await withProjectNames(learned, sources, { ...flags, around }) : learned
    const run = {
      engine: await openEngine(flags, opened, { folder: flags.out ?? '.', defaults: DEFAULTS }),
      flags,
      opened,
      sources,
    }
    if (flags.showPrompt) await printPrompts(run)
    else if (flags.out !== undefined) await writeProject(run, flags.out)
    else if (flags.json) await printAnswers(run)
    else await printProject(run)
  })
}

/** Printed code in a dbt project uses the same names of sources and tables as `plan`. */
async function withProjectNames(
  opened: Opened,
  sources: readonly string[],
  { all = false, around }: Pick<GenerateFlags, 'all'> & { readonly around: string },
): Promise<Opened> {
  if ((await findProjectRoot(around)) === undefined) return opened
  const { index, lock } = await openProject(around)
  const schemas = [...new Set(index?.sources.flatMap(({ schema }) => schema ?? []))].toSorted(compareText)
  if (!index || schemas.length === 0) return opened
  const isWide = all || sources.some((source) => source.endsWith('*'))
  // For a whole schema, warn of configured names that it lacks. Declared names are not configured ones.
  const read = await Promise.all(
    isWide ? schemas.map((text) => opened.catalog.tables({ schema: { text, quoted: false } })) : [],
  )
  const key = (...names: readonly string[]): string => JSON.stringify(names).toLowerCase()
  const there = new Set(read.flat().map(({ name, schema = '' }) => key(schema, name)))
  const config = withDeclaredNames(opened.config, {
    project: index,
    lock,
    isRead: (schema, table) => !isWide || there.has(key(schema, table)),
  })
  if (config === opened.config) return opened
  process.stderr.write(`${paint('cyan', 'note')} sources and models keep the names of this dbt project\n`)
  return { ...opened, config }
}

/** Plans and applies like `stagecraft plan` and `apply`. With `--json`, answers as without a folder. */
async function generateIntoProject(
  sources: readonly string[],
  flags: GenerateFlags,
  folder: string,
): Promise<void> {
  const { json = false } = flags
  const { made, written } = await whileHeld(folder, async () => {
    const { made, project } = await makePlanFor(sources, { ...flags, json, projectDir: folder })
    return { made, written: await applyPlan(made.plan, project, {}) }
  })
  if (json) await generate(sources, flags, folder)
  else reportWritten(written, summarize(made.plan))
}

interface Run {
  readonly engine: Engine
  readonly flags: GenerateFlags
  readonly opened: Opened
  readonly sources: readonly string[]
}

/** Returns the options that flags switch off, which override everything else. */
function switchedOff({ docs, tests }: GenerateFlags): { addTests?: false; addDocs?: false } {
  return { ...(!tests && { addTests: false }), ...(!docs && { addDocs: false }) }
}

async function generateFiles(
  { engine, flags, opened, sources }: Run,
  { answers = false }: { readonly answers?: boolean } = {},
): Promise<ProjectAnswer> {
  const progress = createProgress('generating')
  try {
    return await engine.generateProject(
      { type: flags.type, sources, options: switchedOff(flags) },
      { answers, signal: opened.signal, onProgress: (done, total) => progress.update(done, total) },
    )
  } finally {
    progress.stop()
  }
}

async function printProject(run: Run): Promise<void> {
  const start = performance.now()
  printGeneration(await generateFiles(run), { start })
}

async function writeProject(run: Run, folder: string): Promise<void> {
  const start = performance.now()
  const { force = false, json: answers = false } = run.flags
  const generation = await generateFiles(run, { answers })
  await writeGeneration(generation, { folder, force, start, quiet: answers })
  if (generation.answers) printEnvelopes(generation.answers, isSingle(run))
}

async function printPrompts({ engine, flags, opened, sources }: Run): Promise<void> {
  const request = { type: flags.type, sources, options: switchedOff(flags) }
  const { settings } = chooseBackend(flags, opened.config.backend)
  const tables = await engine.prompts(request, { settings, signal: opened.signal })
  const { showPrompts } = await import('../backend/show-prompts.ts')
  showPrompts(tables, { json: flags.json ?? false })
}

async function printAnswers(run: Run): Promise<void> {
  const start = performance.now()
  const answers = await answer(run)
  reportAnswers(answers, { start })
  printEnvelopes(answers, isSingle(run))
}

function answer({
  engine,
  flags,
  opened,
  sources,
}: Run): Promise<readonly (EngineAnswer | StagecraftError)[]> {
  const request = { type: flags.type, sources, options: switchedOff(flags) }
  return engine.generateEach(request, { signal: opened.signal, onWarnings: printRunWarnings })
}

/** Returns true for a single name without a pattern: it gets one envelope, anything else a list. */
function isSingle({ sources }: Run): boolean {
  return sources.length === 1 && !sources[0]?.endsWith('*')
}

/** @throws {StagecraftError} INVALID_REQUEST without names and `--all`, or with both. */
function assertSources(sources: readonly string[], all: boolean): void {
  if (all !== sources.length > 0) return
  const expected = 'source names (raw.stripe.payments), whole schemas (stripe.*), or --all'
  const received = all ? 'names and --all' : 'neither'
  throw new StagecraftError('INVALID_REQUEST', `expected ${expected}, got ${received}`, {
    details: { faults: [{ path: 'source', expected, received }] },
  })
}
