import type { EngineAnswer } from '@stagecraft/core'
import type { ProjectAnswer } from '@stagecraft/core/run'
import { StagecraftError } from '@stagecraft/spec'
import { EXIT_CODES } from '../exit-codes.ts'
import { printFiles, printWarnings, reportEditing, reportOf } from '../terminal/report.ts'

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
