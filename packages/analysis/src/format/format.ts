import type { LintReport } from '../finding.ts'
import type { FormatOptions } from './format-options.ts'
import { printGithub } from './github.ts'
import { printJson } from './json.ts'
import { printSarif } from './sarif.ts'
import { printText } from './text.ts'

/** How a report is written. */
export const FORMATS = { text: printText, json: printJson, sarif: printSarif, github: printGithub } as const
export type FormatName = keyof typeof FORMATS

/** Prints a report, with a line break at its end. */
export function printReport(report: LintReport, format: FormatName, options: FormatOptions): string {
  return FORMATS[format](report, options)
}
