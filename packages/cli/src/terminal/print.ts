import { styleText } from 'node:util'

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function heading(text: string): void {
  print(`\n${styleText('bold', text, { stream: process.stdout })}\n`)
}
