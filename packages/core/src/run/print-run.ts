import type { GeneratedFile, Generation, Warning } from '@stagecraft/spec'
import type { Plan } from '../plan/plan.ts'
import type { PlannedItem } from '../plan/plan-run.ts'
import { printFiles } from '../render/print-files.ts'
import { type PrintedModel, printModel } from '../render/print-model.ts'
import type { Renderer } from '../render/renderer.ts'
import { compareText } from '../source-name/stored-name.ts'
import { keysNotTested, lacksKeyTest } from './keys-not-tested.ts'

/** The files of a run, tables of one source together. */
export interface ProjectGeneration {
  /** Sorted by path. */
  readonly files: readonly GeneratedFile[]
  /** In the order of the tables' names. */
  readonly models: readonly { readonly name: string; readonly warnings: readonly Warning[] }[]
  /** About the run as a whole. */
  readonly warnings: readonly Warning[]
}

/** Prints one table as if it were alone in its source. */
export function printTable(item: PlannedItem, plan: Plan, renderer: Renderer): Generation {
  const printed = printModel(plan, renderer, commonLoader([item]))
  const files = printFiles([printed], renderer)
  return {
    code: printed.sql,
    schema: files.find(({ path }) => path === printed.paths.modelYaml)?.content ?? '',
    tests: printed.testNames,
    warnings: printed.warnings,
    files,
  }
}

/** Prints tables source by source, pausing after each table. */
export function* printRun(
  planned: readonly PlannedItem[],
  renderer: Renderer,
): Generator<undefined, ProjectGeneration> {
  const files: GeneratedFile[] = []
  const models: ProjectGeneration['models'][number][] = []
  const keyless: string[] = []
  for (const group of Map.groupBy(planned, ({ subject }) => subject.sourceName).values()) {
    const loader = commonLoader(group)
    const printed: PrintedModel[] = []
    for (const item of group) {
      const plan = item.plan()
      if (lacksKeyTest(plan, item)) keyless.push(plan.model.name)
      printed.push(printModel(plan, renderer, loader))
      yield
    }
    files.push(...printFiles(printed, renderer))
    models.push(...printed.map(({ name, warnings }) => ({ name, warnings })))
  }
  return {
    files: files.toSorted((a, b) => compareText(a.path, b.path)),
    models,
    warnings: keysNotTested(keyless),
  }
}

/** Returns the loader that all tables of a source that have one share. */
function commonLoader(group: readonly PlannedItem[]): string | undefined {
  const loaders = new Set(group.flatMap(({ subject }) => subject.loader?.title ?? []))
  return loaders.size === 1 ? [...loaders][0] : undefined
}
