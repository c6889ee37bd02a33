import type { ProjectAnswer } from '@stagecraft/core'
import { writeFiles } from '../files/write-files.ts'
import { printFiles, printReport, printUsage, printWarnings } from '../terminal/report.ts'

/** Prints the files, and on standard error what there is to say of them. */
export function printGeneration(generation: ProjectAnswer): void {
  printFiles(generation.files)
  printWarnings(generation)
  printUsage(generation.usage)
}

export interface WriteGenerationOptions {
  readonly folder: string
  readonly force: boolean
  /** Of the run, by `performance.now()`. */
  readonly start: number
  /** Says nothing about it. */
  readonly quiet: boolean
}

/** Writes the files into a dbt project, and says on standard error what became of them. */
export async function writeGeneration(
  generation: ProjectAnswer,
  { folder, force, quiet, start }: WriteGenerationOptions,
): Promise<void> {
  const report = await writeFiles(generation.files, { folder, force })
  if (quiet) return
  printWarnings(generation)
  printUsage(generation.usage)
  printReport(report, { folder, models: generation.models.length, milliseconds: performance.now() - start })
}
