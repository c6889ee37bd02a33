import type { Command } from 'commander'
import { completeWords } from '../completion/complete-words.ts'
import { projectNames } from '../completion/project-names.ts'
import { SCRIPTS, type Shell } from '../completion/scripts.ts'

/** `stagecraft completion`: prints the script of a shell. */
export function completionCommand(shell: Shell): void {
  process.stdout.write(SCRIPTS[shell])
}

/** `stagecraft complete`: prints candidates at the cursor for the shell scripts. */
export async function completeCommand(program: Command, words: readonly string[]): Promise<void> {
  const { candidates, names, prefix } = completeWords(program, words)
  const current = words.at(-1) ?? ''
  const found = names === undefined ? [] : await projectNames(names, '.')
  const all = [...candidates, ...found.map((name) => ({ value: `${prefix}${name}`, description: '' }))]
  const fitting = all.filter(({ value }) => value.startsWith(current))
  const lines = fitting.map(({ description, value }) => `${value}\t${description}`)
  if (names === 'file' || names === 'folder') lines.push(`:${names}`)
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
}
