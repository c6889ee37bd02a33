import { type GeneratedFile, type Generation, type Warning, compareText } from '@stagecraft/spec'
import type { PlannedItem } from '../plan/plan-run.ts'
import type { Plan } from '../plan/plan.ts'
import { planPaths } from '../plan/staging.ts'
import {
  type PrintedEntries,
  type Renderer,
  modelFile,
  printModel,
  printYamlFiles,
  testNames,
} from '../render/print-files.ts'

/** Returns true if tests were requested, but none covers a key. */
export function lacksKeyTest({ columns, model, type }: Plan, { subject }: PlannedItem): boolean {
  if (!subject.settings.options.addTests || type === 'snapshot') return false
  const tests = [...model.tests, ...columns.flatMap((column) => column.tests)]
  return !tests.some(({ name }) => isKeyTest(name))
}

/** Returns true if a generic test of this name states a key. */
export function isKeyTest(name: string): boolean {
  return name === 'unique' || name.endsWith('.unique_combination_of_columns')
}

/** The number of models that a warning about many names. */
const NAMED = 5

/** Returns one warning that counts models without a test of their key, and none for no model. */
export function keysNotTested(models: readonly string[]): readonly Warning[] {
  if (models.length === 0) return []
  const rest = models.length > NAMED ? `, and ${models.length - NAMED} more` : ''
  const has = models.length === 1 ? '1 model has' : `${models.length} models have`
  const message = `${has} no test of a key, because no key is known: ${models.slice(0, NAMED).join(', ')}${rest}`
  return [{ code: 'KEYS_NOT_TESTED', message }]
}

/** The outcome of a run besides its files. */
interface ProjectSummary {
  /** In the order of the tables' names. */
  readonly models: readonly { readonly name: string; readonly warnings: readonly Warning[] }[]
  /** Warnings about the run as a whole. */
  readonly warnings: readonly Warning[]
}

/** The files of a run, tables of one source together. */
export interface ProjectGeneration extends ProjectSummary {
  /** Sorted by path. */
  readonly files: readonly GeneratedFile[]
}

/** Yields finished files: after each table its model, and after the last table of a property file also that file. */
export type PrintSteps = Generator<readonly GeneratedFile[], ProjectSummary>

/** Prints one table as if it were the only one of its source. */
export function printTable(item: PlannedItem, plan: Plan, renderer: Renderer): Generation {
  const printed = printModel(plan, renderer, commonLoader([item]))
  const files = sortFiles([modelFile(printed), ...printYamlFiles([printed], renderer)])
  return {
    code: printed.sql,
    schema: files.find(({ path }) => path === printed.paths.modelYaml)?.content ?? '',
    tests: testNames(plan),
    warnings: printed.warnings,
    files,
  }
}

/**
 * Prints tables source by source, with sources that share files together, and pauses after each table. Yielded files
 * are not kept.
 */
export function* printRun(planned: readonly PlannedItem[], renderer: Renderer): PrintSteps {
  const models: ProjectSummary['models'][number][] = []
  const keyless: string[] = []
  const sources = Map.groupBy(planned, sourceOf)
  const loaders = new Map([...sources].map(([source, items]) => [source, commonLoader(items)]))
  for (const group of sharingFiles(planned, sources)) {
    const entries: PrintedEntries[] = []
    for (const item of group) {
      const plan = item.plan()
      if (lacksKeyTest(plan, item)) keyless.push(plan.model.name)
      const { sql, ...printed } = printModel(plan, renderer, loaders.get(sourceOf(item)))
      entries.push(printed)
      models.push({ name: printed.name, warnings: printed.warnings })
      const isLast = entries.length === group.length
      yield [modelFile({ ...printed, sql }), ...(isLast ? printYamlFiles(entries, renderer) : [])]
    }
  }
  return { models, warnings: keysNotTested(keyless) }
}

function sourceOf({ subject }: PlannedItem): string {
  return subject.dbtSource
}

/** Tables of one source, or of several with entries in the same property files. */
interface FileGroup {
  readonly sources: ReadonlySet<string>
  readonly paths: ReadonlySet<string>
}

/** Groups tables by the property files that they share; tables of one source are always together. */
function sharingFiles(
  planned: readonly PlannedItem[],
  sources: ReadonlyMap<string, readonly PlannedItem[]>,
): Iterable<readonly PlannedItem[]> {
  let groups: readonly FileGroup[] = []
  for (const [source, items] of sources) {
    const paths = new Set(items.flatMap(({ subject }) => yamlPaths(subject)))
    const shared = new Set(groups.filter((group) => [...paths].some((path) => group.paths.has(path))))
    const joint = {
      sources: new Set([...shared].flatMap((group) => [...group.sources]).concat(source)),
      paths: new Set([...shared].flatMap((group) => [...group.paths]).concat(...paths)),
    }
    groups = [...groups.filter((group) => !shared.has(group)), joint]
  }
  const groupOf = new Map(groups.flatMap((group) => [...group.sources].map((source) => [source, group])))
  return Map.groupBy(planned, (item) => groupOf.get(sourceOf(item))).values()
}

function yamlPaths(subject: PlannedItem['subject']): readonly string[] {
  const { modelYaml, sourceYaml } = planPaths(subject)
  return [modelYaml, sourceYaml]
}

/** Prints all tables, and collects their files. */
export function collectFiles(steps: PrintSteps): ProjectGeneration {
  const files: GeneratedFile[] = []
  for (;;) {
    const step = steps.next()
    if (step.done) return { ...step.value, files: sortFiles(files) }
    files.push(...step.value)
  }
}

/** Sorts files by path. */
export function sortFiles(files: readonly GeneratedFile[]): readonly GeneratedFile[] {
  return files.toSorted((a, b) => compareText(a.path, b.path))
}

/** Returns the loader of a source's tables; undefined without one, or if there are several. */
function commonLoader(group: readonly PlannedItem[]): string | undefined {
  const loaders = new Set(group.flatMap(({ subject }) => subject.loader?.title ?? []))
  return loaders.size === 1 ? [...loaders][0] : undefined
}
