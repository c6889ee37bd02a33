import { type GeneratedFile, type Generation, type Warning, compareText } from '@stagecraft/spec'
import type { Plan } from '../plan/plan.ts'
import type { PlannedItem } from '../plan/plan-run.ts'
import { modelFile, printYamlFiles } from '../render/print-files.ts'
import { type PrintedEntries, printModel } from '../render/print-model.ts'
import type { Renderer } from '../render/renderer.ts'
import { keysNotTested, lacksKeyTest } from './keys-not-tested.ts'

/** The outcome of a run besides its files. */
interface ProjectSummary {
  /** In the order of the tables' names. */
  readonly models: readonly { readonly name: string; readonly warnings: readonly Warning[] }[]
  /** About the run as a whole. */
  readonly warnings: readonly Warning[]
}

/** The files of a run, tables of one source together. */
export interface ProjectGeneration extends ProjectSummary {
  /** Sorted by path. */
  readonly files: readonly GeneratedFile[]
}

/** Finished files, step by step: after each table its model, with the last table of a source its YAML. */
export type PrintSteps = Generator<readonly GeneratedFile[], ProjectSummary>

/** Prints one table as if it were alone in its source. */
export function printTable(item: PlannedItem, plan: Plan, renderer: Renderer): Generation {
  const printed = printModel(plan, renderer, commonLoader([item]))
  const files = sortFiles([modelFile(printed), ...printYamlFiles([printed], renderer)])
  return {
    code: printed.sql,
    schema: files.find(({ path }) => path === printed.paths.modelYaml)?.content ?? '',
    tests: printed.testNames,
    warnings: printed.warnings,
    files,
  }
}

/** Prints tables source by source, pausing after each table. A file that was handed out is not kept. */
export function* printRun(planned: readonly PlannedItem[], renderer: Renderer): PrintSteps {
  const models: ProjectSummary['models'][number][] = []
  const keyless: string[] = []
  for (const group of Map.groupBy(planned, ({ subject }) => subject.dbtSource).values()) {
    const loader = commonLoader(group)
    const entries: PrintedEntries[] = []
    for (const item of group) {
      const plan = item.plan()
      if (lacksKeyTest(plan, item)) keyless.push(plan.model.name)
      const { sql, ...printed } = printModel(plan, renderer, loader)
      entries.push(printed)
      models.push({ name: printed.name, warnings: printed.warnings })
      const isLast = entries.length === group.length
      yield [modelFile({ ...printed, sql }), ...(isLast ? printYamlFiles(entries, renderer) : [])]
    }
  }
  return { models, warnings: keysNotTested(keyless) }
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

/** Returns the loader that all tables of a source that have one share. */
function commonLoader(group: readonly PlannedItem[]): string | undefined {
  const loaders = new Set(group.flatMap(({ subject }) => subject.loader?.title ?? []))
  return loaders.size === 1 ? [...loaders][0] : undefined
}
