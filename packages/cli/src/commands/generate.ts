import type { Engine, EngineAnswer } from '@stagecraft/core'
import type { ProjectAnswer } from '@stagecraft/core/run'
import type { ModelKind, StagecraftError } from '@stagecraft/spec'
import { chooseBackend } from '../backend/choose-backend.ts'
import { printEnvelopes } from '../terminal/envelopes.ts'
import { assertWritable } from '../files/make-folder.ts'
import { createProgress } from '../terminal/progress.ts'
import { printCatalogWarnings, printRunWarnings } from '../terminal/report.ts'
import { assertSources } from './check-sources.ts'
import { printGeneration, reportAnswers, writeGeneration } from './deliver.ts'
import { findProjectRoot } from '@stagecraft/dbt'
import { applyPlan } from '../project/apply-plan.ts'
import { summarize } from '../project/print-plan.ts'
import { reportWritten } from './apply.ts'
import { type EngineFlags, openEngine } from './open-engine.ts'
import { makePlanFor, withRows } from './plan.ts'
import { type Opened, withCatalog } from './shared-flags.ts'

export interface GenerateFlags extends EngineFlags {
  readonly all?: boolean
  readonly type: ModelKind
  readonly out?: string
  readonly force?: boolean
  /** Look at the rows of the tables first. */
  readonly profile?: boolean
  readonly tests: boolean
  readonly docs: boolean
  readonly json?: boolean
}

/** The defaults on a terminal: everything is on, and flags switch parts off. */
const DEFAULTS = { addTests: true, addDocs: true }

/** `stagecraft generate`: prints, writes, or answers as JSON. */
export async function generateCommand(sources: readonly string[], flags: GenerateFlags): Promise<void> {
  assertSources(sources, flags.all ?? false)
  if (flags.out !== undefined) assertWritable(flags.out, '--out')
  if (flags.out !== undefined && !flags.showPrompt && (await findProjectRoot(flags.out)) !== undefined) {
    const { out, ...rest } = flags
    await generateIntoProject(sources, rest, out)
    return
  }
  await withCatalog(flags, async (given) => {
    printCatalogWarnings(given.catalog)
    const opened = flags.profile ? await withRows(given) : given
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

/** Plans and applies, as `stagecraft plan` and `apply` do; with `--json`, answers as without a folder. */
async function generateIntoProject(
  sources: readonly string[],
  flags: GenerateFlags,
  folder: string,
): Promise<void> {
  const { json = false } = flags
  const { made, project } = await makePlanFor(sources, { ...flags, json, projectDir: folder })
  const written = await applyPlan(made.plan, project, {})
  if (json) await generateCommand(sources, flags)
  else reportWritten(written, summarize(made.plan))
}

interface Run {
  readonly engine: Engine
  readonly flags: GenerateFlags
  readonly opened: Opened
  readonly sources: readonly string[]
}

/** Returns the options that flags switch off, which win over everything else. */
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

/** Returns true for one name that is not a pattern: it gets one envelope, anything else a list. */
function isSingle({ sources }: Run): boolean {
  return sources.length === 1 && !sources[0]?.endsWith('*')
}
