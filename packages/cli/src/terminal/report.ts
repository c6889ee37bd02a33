import type { ProjectGeneration } from '@stagecraft/core'
import type { GeneratedFile, Usage, Warning } from '@stagecraft/spec'
import type { WriteReport } from '../files/write-files.ts'
import { paint } from './paint.ts'

/** Prints files one after the other, each under its path in a comment of its own language. */
export function printFiles(files: readonly GeneratedFile[]): void {
  const texts = files.map(({ content, path }) => `${path.endsWith('.sql') ? '--' : '#'} ${path}\n${content}`)
  process.stdout.write(texts.join('\n'))
}

/** How many warnings and files are listed before the rest is only counted. */
const LISTED = 20

/** Prints warnings on standard error, each with the model it is about; of many, the first and a count per code. */
export function printWarnings({ models, warnings }: ProjectGeneration): void {
  const all = [
    ...warnings.map((warning) => ({ subject: '', warning })),
    ...models.flatMap(({ name, warnings: own }) => own.map((warning) => ({ subject: `${name}: `, warning }))),
  ]
  const label = paint('yellow', 'warning')
  for (const { subject, warning } of all.slice(0, LISTED)) {
    process.stderr.write(`${label} ${subject}${warning.message} (${warning.code})\n`)
  }
  const rest = all.slice(LISTED).map(({ warning }) => warning)
  if (rest.length > 0)
    process.stderr.write(`${label} and ${rest.length} more: ${countCodes(rest)}; --json lists them\n`)
}

function countCodes(warnings: readonly Warning[]): string {
  const codes = Map.groupBy(warnings, ({ code }) => code)
  return [...codes].map(([code, group]) => `${group.length} ${code}`).join(', ')
}

/** Says what the backend cost; nothing where none took part. */
export function printUsage(usage: Usage | undefined): void {
  if (!usage) return
  const { attempts, incomplete, input, output } = usage
  const atLeast = incomplete ? 'at least ' : ''
  const tokens = `${atLeast}${input + output} tokens (${input} read, ${output} written)`
  process.stderr.write(`${count(attempts, 'call')} of the backend: ${tokens}\n`)
}

export interface ReportInput {
  readonly folder: string
  readonly models: number
  readonly milliseconds: number
}

/** Says what became of the files. */
export function printReport(
  { unchanged, written }: WriteReport,
  { folder, milliseconds, models }: ReportInput,
): void {
  for (const path of written.slice(0, LISTED)) process.stderr.write(`${paint('green', 'wrote')} ${path}\n`)
  if (written.length > LISTED)
    process.stderr.write(`${paint('green', 'wrote')} and ${written.length - LISTED} more\n`)
  const rest = unchanged.length > 0 ? `, ${count(unchanged.length, 'file')} unchanged` : ''
  const wrote = `${count(models, 'model')}, ${count(written.length, 'file')} written to ${folder}${rest}`
  process.stderr.write(`${wrote} (${seconds(milliseconds)})\n`)
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
