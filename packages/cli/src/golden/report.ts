import { createTwoFilesPatch } from 'diff'
import { paintOutput } from '../terminal/paint.ts'
import { count } from '../terminal/report.ts'
import type { GoldenDifference, GoldenResult } from './run-golden.ts'

/** Prints every difference as a patch, and a summary of the cases. */
export function printGoldenReport(results: readonly GoldenResult[]): void {
  for (const { differences, name, status } of results) {
    if (status === 'updated') process.stdout.write(`recorded ${name}\n`)
    if (status === 'different')
      process.stdout.write(differences.map((difference) => describeDifference(name, difference)).join(''))
  }
  const different = results.filter(({ status }) => status === 'different').length
  const summary =
    different === 0
      ? 'no differences'
      : `${different} ${different === 1 ? 'differs' : 'differ'}; --update records the new output`
  process.stdout.write(`${count(results.length, 'case')}, ${summary}\n`)
}

/** Returns a unified diff, coloured on a terminal. */
export function describeDifference(name: string, { actual, expected, path }: GoldenDifference): string {
  const file = `${name}/${path}`
  const patch = createTwoFilesPatch(
    expected === undefined ? '/dev/null' : file,
    actual === undefined ? '/dev/null' : file,
    expected ?? '',
    actual ?? '',
    'recorded',
    'generated now',
  )
  return patch.split('\n').slice(1).map(paintLine).join('\n')
}

function paintLine(line: string): string {
  const style = line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : undefined
  return style ? paintOutput(style, line) : line
}
