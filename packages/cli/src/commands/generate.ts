import type { Engine, EngineAnswer } from '@stagecraft/core'
import type { ProjectAnswer } from '@stagecraft/core/run'
import { compareText, StagecraftError } from '@stagecraft/spec'
import { chooseBackend } from '../backend/choose-backend.ts'
import { printEnvelopes } from '../terminal/envelopes.ts'
import { chooseOutput } from '../files/choose-project.ts'
import { createProgress } from '../terminal/progress.ts'
import { paint } from '../terminal/paint.ts'
import { printCatalogWarnings, printRunWarnings } from '../terminal/report.ts'
import { printGeneration, reportAnswers } from './deliver.ts'
import { withDeclaredNames } from '@stagecraft/dbt'
import { type OpenProject, openProject, withProjectLock } from '../project/open-project.ts'
import { withLearned } from '../project/learn-project.ts'
import type { ModelFlags } from '../project/project-flags.ts'
import { planAndApply, reportApplied } from './apply.ts'
import { openEngine } from './open-engine.ts'
import { withRows } from './plan.ts'
import { type Opened, withCatalog } from './shared-flags.ts'
import { withoutBuilt } from './without-built.ts'

export interface GenerateFlags extends ModelFlags {
  readonly all?: boolean
  readonly out?: string
  readonly json?: boolean
  /** Generates again after every save. */
  readonly watch?: boolean
}

/** `stagecraft generate`: prints code, writes it, or answers as JSON. */
export async function generateCommand(sources: readonly string[], flags: GenerateFlags): Promise<void> {
  if (flags.watch) {
    const { watchProject } = await import('./watch-project.ts')
    const { watch: _, ...once } = flags
    const refused = ['json', 'out', 'showPrompt']
    await watchProject({ ...flags }, { folder: '.', refused, work: () => generateCommand(sources, once) })
    return
  }
  assertSources(sources, flags.all ?? false)
  const folder = flags.out === undefined ? undefined : await chooseOutput(flags.out)
  if (folder === undefined || flags.showPrompt) await printGenerated(sources, flags, folder)
  else await writeGenerated(sources, flags, folder)
}

/** Prints files, answers or prompts. */
async function printGenerated(
  sources: readonly string[],
  flags: GenerateFlags,
  folder: string | undefined,
): Promise<void> {
  const project = await openProject(folder ?? '.', flags)
  const work = async (given: Opened): Promise<void> => {
    printCatalogWarnings(given.catalog)
    const seen = await withRows(withoutBuilt(given, project), flags, project.root)
    const learned = flags.learn ? await withLearned(seen, project) : seen
    const opened = await withProjectNames(learned, sources, { ...flags, project })
    const run = { engine: await openEngine(flags, opened, { project }), flags, opened, sources }
    if (flags.showPrompt) await printPrompts(run)
    else if (flags.json) await printAnswers(run)
    else await printProject(run)
  }
  await withCatalog({ ...flags, ...(folder !== undefined && { projectDir: folder }) }, work, { project })
}

/** Plans and applies like `stagecraft plan` and `apply`. With `--json`, answers as without a folder. */
async function writeGenerated(
  sources: readonly string[],
  flags: GenerateFlags,
  folder: string,
): Promise<void> {
  const applied = await withProjectLock(folder, () => planAndApply(sources, { ...flags, projectDir: folder }))
  if (!flags.json) return reportApplied(applied)
  const { plan, warnings, answers } = applied.made
  printRunWarnings([...warnings, ...plan.warnings])
  printEnvelopes(answers(), isSingle(sources))
}

/** Printed code in a dbt project uses the same names of sources and tables as `plan`. */
async function withProjectNames(
  opened: Opened,
  sources: readonly string[],
  { all = false, project }: Pick<GenerateFlags, 'all'> & { readonly project: OpenProject },
): Promise<Opened> {
  const { index, lock } = project
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

async function generateFiles({ engine, flags, opened, sources }: Run): Promise<ProjectAnswer> {
  const progress = createProgress('generating')
  try {
    return await engine.generateProject(
      { type: flags.type, sources, options: switchedOff(flags) },
      { signal: opened.signal, onProgress: (done, total) => progress.update(done, total) },
    )
  } finally {
    progress.stop()
  }
}

async function printProject(run: Run): Promise<void> {
  const start = performance.now()
  printGeneration(await generateFiles(run), { start })
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
  printEnvelopes(answers, isSingle(run.sources))
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
function isSingle(sources: readonly string[]): boolean {
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
