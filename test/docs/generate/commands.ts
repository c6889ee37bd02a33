import type { Argument, Command, Option } from 'commander'
import { createProgram } from '../../../packages/cli/src/program.ts'
import {
  EXIT_BUG,
  EXIT_CODES,
  EXIT_DIFFERENCE,
  EXIT_INTERRUPTED,
} from '../../../packages/cli/src/exit-codes.ts'
import { sentence, table } from './table.ts'

/** Prints every command with its arguments and options, as the program has them. */
export function commandSections(): string {
  return leavesOf(createProgram(), []).map(section).join('\n\n')
}

interface Leaf {
  readonly path: readonly string[]
  readonly command: Command
}

function leavesOf(command: Command, above: readonly string[]): readonly Leaf[] {
  const path = [...above, command.name()]
  if (command.commands.length === 0) return [{ path, command }]
  const shown = command.createHelp().visibleCommands(command)
  return shown.filter((child) => child.name() !== 'help').flatMap((child) => leavesOf(child, path))
}

function section({ command, path }: Leaf): string {
  const parts = [
    `## ${path.join(' ')}`,
    sentence(command.description()),
    `\`\`\`text\n${path.join(' ')} ${command.usage()}\n\`\`\``,
  ]
  const values = [...command.registeredArguments.map(argumentRow), ...command.options.map(optionRow)]
  const options = values.length === 0 ? [] : [table(['Argument or option', 'Meaning', 'Default'], values)]
  return [...parts, ...options].join('\n\n')
}

function argumentRow(argument: Argument): readonly string[] {
  const { description, required, variadic } = argument
  const name = `${argument.name()}${variadic ? '…' : ''}`
  return [`\`${required ? `<${name}>` : `[${name}]`}\``, meaning(description), '']
}

function optionRow({ argChoices, defaultValue, description, flags, negate }: Option): readonly string[] {
  const choices = argChoices ? ` One of ${argChoices.map((choice) => `\`${choice}\``).join(', ')}.` : ''
  const value = negate || defaultValue === undefined ? stated(description) : `\`${String(defaultValue)}\``
  return [`\`${flags}\``, `${meaning(description)}${choices}`, value]
}

/** The default that a description states in brackets at its end. */
const STATED = / \(default: ([^)]+)\)$/

function stated(description: string): string {
  return STATED.exec(description)?.[1] ?? ''
}

function meaning(description: string): string {
  return sentence(description.replace(STATED, ''))
}

/** Prints what the shell sees. */
export function exitCodes(): string {
  const rows = [
    ['`0`', 'Done.'],
    [
      `\`${EXIT_DIFFERENCE}\``,
      '`stagecraft check` found a difference, `stagecraft lint` found errors or more warnings than `--max-warnings` allows, a step of `stagecraft doctor` failed, `stagecraft plan --exit-code` would change something, or a golden case differs.',
    ],
    ...Object.entries(EXIT_CODES).map(([code, exit]) => [
      `\`${exit}\``,
      `[\`${code}\`](errors.md#${code.toLowerCase()})`,
    ]),
    [`\`${EXIT_BUG}\``, 'A fault of Stagecraft itself; please report it.'],
    [`\`${EXIT_INTERRUPTED}\``, 'Stopped with Ctrl-C.'],
  ]
  return table(['Exit code', 'Meaning'], rows)
}
