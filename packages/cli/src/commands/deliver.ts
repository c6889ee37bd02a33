import type { EngineAnswer } from '@stagecraft/core'
import type { ProjectAnswer } from '@stagecraft/core/run'
import { StagecraftError } from '@stagecraft/spec'
import { EXIT_CODES } from '../exit-codes.ts'
import { writeFiles } from '../files/write-files.ts'
import {
  printFiles,
  printReport,
  printRunWarnings,
  printWarnings,
  reportEditing,
  reportOf,
} from '../terminal/report.ts'

/** Prints the files, and notes and warnings on standard error. */
export function printGeneration(generation: ProjectAnswer, { start }: { readonly start: number }): void {
  printFiles(generation.files)
  printWarnings(generation)
  reportEditing(generation.reports, { milliseconds: performance.now() - start })
}

/** Prints the backend's part in the answers, and sets the exit code of the first failed answer. */
export function reportAnswers(
  answers: readonly (Pick<EngineAnswer, 'data' | 'meta'> | StagecraftError)[],
  { start }: { readonly start: number },
): void {
  const reports = answers.flatMap((one) => (one instanceof StagecraftError ? [] : (reportOf(one) ?? [])))
  reportEditing(reports, { milliseconds: performance.now() - start })
  const failed = answers.find((result) => result instanceof StagecraftError)
  if (failed) process.exitCode = EXIT_CODES[failed.code]
}

export interface WriteGenerationOptions {
  readonly folder: string
  readonly force: boolean
  /** The start of the run, by `performance.now()`. */
  readonly start: number
  /** Prints only messages about the run as a whole. */
  readonly quiet: boolean
}

/** Writes the files into a dbt project, and prints the result on standard error. */
export async function writeGeneration(
  generation: ProjectAnswer,
  { folder, force, quiet, start }: WriteGenerationOptions,
): Promise<void> {
  const report = await writeFiles(generation.files, { folder, force })
  const milliseconds = performance.now() - start
  if (quiet) printRunWarnings(generation.warnings)
  else printWarnings(generation)
  reportEditing(generation.reports, { milliseconds })
  if (!quiet) printReport(report, { folder, models: generation.models.length, milliseconds })
}
