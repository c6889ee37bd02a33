import { paintOutput } from './paint.ts'

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function heading(text: string): void {
  print(`\n${paintOutput('bold', text)}\n`)
}
