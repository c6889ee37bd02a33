import type { Report } from '../finding.ts'
import type { FormatOptions } from './format-options.ts'
import { printGithub } from './github.ts'
import { printGitlab } from './gitlab.ts'
import { printHtml } from './html/html.ts'
import { printJson } from './json.ts'
import { printJunit } from './junit.ts'
import { printSarif } from './sarif.ts'
import { printText } from './text.ts'

/** The formats of reports. */
export const FORMATS = {
  text: printText,
  json: printJson,
  sarif: printSarif,
  github: printGithub,
  gitlab: printGitlab,
  junit: printJunit,
  html: printHtml,
} as const
export type FormatName = keyof typeof FORMATS

/** Prints a report, with a line break at its end. */
export function printReport(report: Report, format: FormatName, options: FormatOptions): string {
  return FORMATS[format](report, options)
}
