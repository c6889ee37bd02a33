import type { LintReport } from '../finding.ts'
import { printGithub } from './github.ts'
import { printJson } from './json.ts'
import { printSarif } from './sarif.ts'
import { printText } from './text.ts'

export interface FormatOptions {
  /** Version of Stagecraft. */
  readonly version: string
  /** What stands before the paths of the project: `warehouse/` where the project is not the root of its repository. @default nothing */
  readonly prefix?: string
  /** Styles a piece of text for a terminal. @default not at all */
  readonly paint?: Paint
}

export type Paint = (style: 'red' | 'yellow' | 'cyan' | 'bold' | 'dim', text: string) => string

/** How a report is written. */
export const FORMATS = { text: printText, json: printJson, sarif: printSarif, github: printGithub } as const
export type FormatName = keyof typeof FORMATS

/** Prints a report, with a line break at its end. */
export function printReport(report: LintReport, format: FormatName, options: FormatOptions): string {
  return FORMATS[format](report, options)
}
